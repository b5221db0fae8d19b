/** The topic `selectors`: names for a node of the screen. */
export const SELECTORS = `Selectors: how a command names a node of the screen

The short form is one argument after the command:

  svc click "About phone"           the node whose label is exactly this
  svc click @12.7                   a ref: node 7 of screen 12
  svc click 540 1200                a point in pixels (click, double-tap, drag, pinch)
  svc wait "Wi-Fi"
  svc read @12.9
  svc type hello                    the text, into the field that has the focus
  svc type hello "Search settings"  the text, then the field

The label of a node is its text, or its content description where it has no text. A label of
several words needs quotes. A label that looks like a ref or a point needs --text.

The long form is one or more flags, and all of them must match:

  --text <text>             the label is exactly this
  --text-contains <text>    the label contains this, in any case
  --id <id>                 the resource id is exactly this
  --desc <text>             the content description is exactly this
  --desc-contains <text>    the content description contains this, in any case
  --text-matches <regex>    the whole label matches this regular expression, in any case
  --enabled <true|false>    also --checked, --selected, --focused
  --below <label|json>      under the bottom edge of this other node, the nearest first; also
                            --above, --left-of, --right-of
  --child-of <label|json>   inside of this other node, at any depth
  --contains-child <...>    holds this other node, at any depth
  --index <n>               of several, from the top left: 0 is the first, -1 the last
  --role <role>             button, checkbox, dropdown, image, list, progress, radio, slider,
                            switch, tab, text, textfield, ...
  --ref <ref>               the same as the argument @12.7; it stands alone
  --selector <json>         a whole matcher; it stands alone

  svc wait --role switch --text-contains wi-fi --timeout 5000
  svc read --selector '{"textEquals": "Battery"}'
  svc click --role switch --right-of Wi-Fi
  svc read --text-matches '\\d+ unread' --child-of '{"resourceId": "com.example:id/list"}'
  svc wait --text Saving --gone

If several nodes match, the first one in the order of the snapshot is taken, unless
--below and its like put the nearest first, or --index chooses. An argument and a
selector flag together are a usage error.

The commands scroll, scroll-until and read look inside one node with the same flags that begin
with --container- (the newer ones only in --container-selector):

  svc read --role text --all --container-id com.android.settings:id/list

Refs come from compact snapshots. Before a ref is used, svc looks at the screen again: if the node
is not there any more, the answer is REF_STALE with what is there now, and nothing was done.

  svc snapshot --compact
  svc click @12.7 --observe

In payloads for svc exec and over HTTP a matcher is an object with the keys textEquals,
textContains, textMatches, resourceId, contentDescEquals, contentDescContains, role, enabled,
checked, selected, focused, below, above, leftOf, rightOf, childOf, containsChild, index; or ref.

A pattern has no look-around and no references; a label of over 10,000 characters fits none.`
