/** The headers between a command and its daemon, in the lower case in which answers are read. */

/** Of every answer, and of `100 Continue`: the `instanceId` of the daemon that answers. */
export const INSTANCE_HEADER = 'svc-instance'
/** Of a request: it is refused with 412 by any other instance, before its body is read. */
export const EXPECT_INSTANCE_HEADER = 'svc-expect-instance'
/** Of a request whose caller named no operator: the one in its body is the default, and the device decides. */
export const FREE_OPERATOR_HEADER = 'svc-operator-unnamed'
/** Of a request: it is refused with 412 by a daemon of another version or build. */
export const EXPECT_BUILD_HEADER = 'svc-expect-build'
/** Of a request: how many ms its caller waits for the answer. */
export const ANSWER_WITHIN_HEADER = 'svc-answer-within'
/** Of a request: the id that its execution gets. Under the same id nothing runs twice. Only a private listener takes it. */
export const CHOSEN_ID_HEADER = 'svc-execution-id'
/** Of `100 Continue`: the id that the execution gets whose body is sent now. */
export const OFFERED_ID_HEADER = 'svc-offered-id'
/** Of a request: by which way its caller was asked, `cli` or `mcp`. Only a daemon believes it. */
export const CALLER_HEADER = 'svc-caller'
/** Of a request: the rules of the policy to which a person has said yes, separated by commas, each URI-encoded. */
export const CONFIRMED_HEADER = 'svc-confirmed'
