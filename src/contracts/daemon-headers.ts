/** The headers between a command and its daemon, in the lower case in which answers are read. */

/** Every answer, `100 Continue` too, carries the `instanceId` of the daemon that answers. */
export const INSTANCE_HEADER = 'svc-instance'
/** Any instance but the named one refuses the request with 412, before it reads the body. */
export const EXPECT_INSTANCE_HEADER = 'svc-expect-instance'
/** The caller named no operator: the one in the body is the default, and the device decides. */
export const FREE_OPERATOR_HEADER = 'svc-operator-unnamed'
/** A daemon of another version or build refuses the request with 412. */
export const EXPECT_BUILD_HEADER = 'svc-expect-build'
/** The caller waits this many ms for the answer. */
export const ANSWER_WITHIN_HEADER = 'svc-answer-within'
/** The execution gets this id, under which nothing runs twice. Only private listeners accept the header. */
export const CHOSEN_ID_HEADER = 'svc-execution-id'
/** On `100 Continue`: the id that the execution gets whose body is sent now. */
export const OFFERED_ID_HEADER = 'svc-offered-id'
/** On a request: the door that its caller came through, `cli` or `mcp`. Only a private listener believes it. */
export const CALLER_HEADER = 'svc-caller'
/** The policy rules that a person has confirmed, separated by commas, each URI-encoded. */
export const CONFIRMED_HEADER = 'svc-confirmed'
