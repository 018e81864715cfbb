#!/usr/bin/env bash
# A revalidator without the SDK: a task is on hold while the workspace's file
# datarim/on-hold.txt has a line for it, such as
#
#   TUNE-0254 waits for the security review
#
# Usage: on-hold.sh ROOT TASK. The request on standard input is not needed.
set -euo pipefail
root=$1 task=$2 file=datarim/on-hold.txt

# text is a JSON string of $1. Control characters have no place in it.
text() {
	local text=${1//[[:cntrl:]]/ }
	text=${text//\\/\\\\}
	printf '"%s"' "${text//\"/\\\"}"
}

answer() { printf '{"schema":"stagehook.route/1","task_id":"%s","verdict":"%s",%s}\n' "$task" "$1" "$2"; }

if [ -e "$root/$file" ]; then
	while read -r id reason || [ -n "$id" ]; do
		[ "$id" = "$task" ] || continue
		answer refused "\"refusals\":[{\"code\":\"on-hold\",\"path\":\"$file\",\"detail\":$(text "${reason:-no reason given}")}]"
		exit
	done <"$root/$file"
fi
# No route: what the snapshot recommends is confirmed.
answer fresh "\"checked_at\":\"$(date -u +%Y-%m-%dT%H:%M:%SZ)\""
