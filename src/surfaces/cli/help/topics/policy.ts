/** The topic `policy`: the file that decides what may run. */
export const POLICY = `Policy: the file that decides what may run

The file is that of --policy, else SVC_POLICY, else ~/.svc/policy.json. Without a file everything is
allowed. It is read again when it changes, and it holds for every caller: commands, HTTP, MCP and
skills.

  {
    "default": "allow",
    "rules": [
      { "id": "no-bank", "effect": "deny", "packages": ["com.example.bank*"] },
      { "id": "ask-first", "effect": "confirm", "actions": ["enter_text"], "callers": ["mcp"] },
      { "id": "own-skills", "effect": "deny", "actions": ["skill_run"], "skills": ["com.other.*"] }
    ]
  }

A rule has an effect (allow, confirm, deny) and fits if each of its lists fits:

  actions      types of actions (click, enter_text, ...), and skill_run for the start of a skill
  packages     the application that an action names, or the one in front of the screen
  devices      adb serial, hardware serial, or <serial>@<host> in a fleet
  callers      cli, http, mcp, skill
  skills       ids of skills
  operators    operator packages

A list that is left out fits everything, and * stands for any characters. deny beats confirm,
confirm beats allow, and allow beats the default. confirm asks the user of an MCP client; everybody
else is refused.

A rule that denies or asks also holds for steps that contain the action: a rule for click holds for
a scroll_until that clicks, one for press_key for a text that is submitted.

The action shell is for the command line. HTTP, MCP and skills are refused with SHELL_DENIED,
unless a rule with effect allow has the word shell in its actions; * is not enough. The same holds
for page_script, which WebDriver sessions may use as well.

A refusal is EXECUTION_DENIED. It names the rule in details.rule, and details.dispatched says
whether anything was done before it. Every refusal is on record:

  svc watch policy
  svc watch policy --after 0

A file that is not valid denies everything and says why:

  svc doctor --policy policy.json
  svc click "About phone" --policy policy.json`
