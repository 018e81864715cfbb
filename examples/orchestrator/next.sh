#!/bin/sh
# Resumes a task through a resolver: a program that decides which command comes
# next and prints it. The resolver gets what the last stage recommended, or what
# the task's records allow, as --hint COMMAND.
#
# Usage: next.sh TASK RESOLVER [ARGUMENT...]
#
# The hint does not bind: the resolver may print another command, and gets none
# where there is nothing to resume from. A refusal does bind: then the resolver is
# not asked, and the exit code is stagehook's.
set -u
task=$1
shift

hint=$(stagehook resume --task "$task" --format hint)
status=$?
case $status in
0) exec "$@" --hint "$hint" ;;
1 | 2) exec "$@" ;;
*) exit "$status" ;; # the reasons are on standard error
esac
