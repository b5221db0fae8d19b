/** The topic `exit-codes`: the numbers and when they come. */
export const EXIT_CODES = `Exit codes: what the exit code of svc says

  0      success
  1      any failure: a result with a code, an envelope that failed, a skill run that is not a
         success, or a usage error
  129    ended by SIGHUP
  130    ended by SIGINT (Ctrl-C)
  143    ended by SIGTERM

A usage error has the code USAGE: nothing was asked of a device. The other codes say which part
failed, and details.dispatched says whether anything was sent to the device: false, true, or
"unknown". After an interruption the result is EXECUTION_CANCELLED and says the same.

  svc click "About phone" || svc executions show last

A second SIGINT or SIGTERM ends svc at once, without a result; the receipt of the execution then
says what is known. svc serve, svc mcp and svc inspect end with 0 after a signal.`
