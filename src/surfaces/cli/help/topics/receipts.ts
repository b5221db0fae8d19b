/** The topic `receipts`: what is known of an execution, and how to go on. */
export const RECEIPTS = `Receipts: what is known of an execution, and how to go on after a failure

Every accepted execution has a receipt, written to the disk before anything is sent. svc sends an
execution at most once and never repeats it by itself. The answer of a device command names the
execution (executionId).

  svc executions list
  svc executions show last
  svc executions show last~2

"last" is the newest execution of this home, with --device the newest on that device; last~2 is the
second before it.

  accepted       recorded; nothing was sent to the device
  dispatched     sent, or about to be: the device may have acted
  settled        the receipt holds the result
  interrupted    the process ended first; details.dispatched says whether anything was sent
  waiting        in line for a busy device (--wait)

Did my tap happen? The receipt says so in one word (outcome): not_sent, done, failed or unknown. If
it was sent and no result came, svc asks the phone, which may still be at work on it, and tells of
each step what is known, from whom and since when. Nothing is sent again.

  svc executions show last --output text
  svc executions show last --wait 60000
  svc executions timeline last --output text
  svc executions list --outcome unknown

If nobody can say, look at the screen:

  svc snapshot --compact

Go on after the last step that is proven to have run, as a new execution. If a step may have run
and its result was lost, svc refuses with RESUME_IN_DOUBT; look at the screen, then name the first
step that did not happen:

  svc executions resume last --dry-run
  svc executions resume last
  svc executions resume last --from-step submit

Stop waiting for one, also of another process; a step that was sent may still happen:

  svc executions cancel last

Keep one as a page that opens in any browser, or make a skill of it:

  svc executions trace last --to trace.html
  svc skills record com.example.app.login --from last

Receipts are kept for 7 days.`
