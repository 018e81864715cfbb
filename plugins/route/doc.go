// Package route is the built-in revalidator product-decision-route: it says from
// a task's decision records where the task may go next.
//
// It reads all of them anew for each request, through the workspace's rooted
// handle, and keeps nothing. What is compared is in package records; only the
// clock and the files come from here.
package route
