// Package route is the built-in revalidator product-decision-route: it says from
// a task's decision records whether the proposed route is still allowed.
package route
