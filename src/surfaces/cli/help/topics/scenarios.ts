/** The topic `scenarios`: how to write what simulated devices show. */
export const SCENARIOS = `Scenarios: what simulated devices show, and how to write it

svc simulate runs devices that adb and svc use like real ones. Without a scenario they have a
Settings app. A scenario is a JSON file: apps, their screens, and what taps and texts do.

  {
    "front": "com.example.vault",
    "apps": [{
      "package": "com.example.vault",
      "label": "Vault",
      "screens": {
        "login": { "nodes": [
          { "id": "pin", "resourceId": "com.example.vault:id/pin", "hint": "PIN" },
          { "class": "Button", "text": "Unlock", "onTap": { "goTo": "home" } }
        ] },
        "home": { "nodes": [{ "text": "Welcome" }] }
      }
    }]
  }

Run it, and use it from another terminal:

  svc simulate --scenario app.json --port 41002
  SVC_TCP_DEVICES=127.0.0.1:41002 svc type 1234 PIN
  SVC_TCP_DEVICES=127.0.0.1:41002 svc click Unlock

A reaction (onTap, onLongPress, onText, onScroll, onKey, intents) is one of these, or a list:

  goTo, back, home, openApp     change the screen
  set                           change nodes by their id: texts, flags, hidden, focused
  count, toggle, toast          add to a counter, flip a check mark, show a message
  askPermission                 bring up the permission dialog of the system
  if, firstOf                   do it under a condition; do the first whose condition holds

Texts show counters as {name}. A node with showIf is there while its condition holds;
appearsAfter and disappearsAfter take a time or a number of looks. A screen with dialog is a window
over the one before it.

Start from screens of a real device, or from executions that ran on one:

  svc simulate from-dump main.xml about.xml --output app.json
  svc skills record com.example.app.login --from last --scenario login.json

Mistakes are named with their place. Editors complete by the JSON Schema:

  svc simulate --schema

What goes wrong on the device is a faults file, [{"after": 1, "do": "no-result", "times": 1}]:

  svc simulate --scenario app.json --faults faults.json`
