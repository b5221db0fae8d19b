/** The headers of svc, on requests and answers. Those that only svc itself reads are in lower case, as Node reads them. */

// Between a command and its daemon
/** Every answer, `100 Continue` too, carries the `instanceId` of the daemon that answers. */
export const INSTANCE_HEADER = 'svc-instance'
/** Any instance but the named one refuses the request with 412, before it reads the body. */
export const EXPECT_INSTANCE_HEADER = 'svc-expect-instance'
/** The caller named no operator: the one in the body is the default, and the device decides. */
/** Values that stand in the payload as tokens. */
export const SECRETS_HEADER = 'svc-secrets'
export const OPERATOR_UNNAMED_HEADER = 'svc-operator-unnamed'
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

// Between the hosts of a fleet; only a private listener believes them
/** Another host sent the request here: this host answers it and sends it no further. */
export const FLEET_FROM_HEADER = 'svc-fleet-from'
/** Set by the host that takes a request from the fleet, a host's or a client's: its caller may be on another machine. */
export const FLEET_TAKEN_HEADER = 'svc-fleet-taken'
/** The epoch under which the sender took this host for the owner of the phone. */
export const FLEET_EPOCH_HEADER = 'svc-fleet-epoch'
/** A client of the fleet sent the request: it fetches pictures itself and writes them on its own machine. */
export const FLEET_PICTURES_HEADER = 'svc-fleet-pictures'
/** The digest of the paths that the sender has taken out of the execution: they are part of what an Idempotency-Key is for. */
export const FLEET_PATHS_HEADER = 'svc-fleet-paths'
/** The host that gave the answer. */
export const FLEET_HOST_HEADER = 'Svc-Host'

// For every caller
/** On an answer: names the receipt. */
export const EXECUTION_ID_HEADER = 'Svc-Execution-Id'
/** On the answer of a resumption: how many steps it has. */
export const STEPS_HEADER = 'Svc-Steps'
/** On a request: the reservation that it belongs to. */
export const LEASE_HEADER = 'Svc-Lease'
/** On a request: the run that causes the execution. On the answer of a run: its own id. */
export const SKILL_RUN_HEADER = 'Svc-Skill-Run'
/** Marks a request of a flow's script, which no server of svc answers. */
export const FLOW_SCRIPT_HEADER = 'Svc-Flow-Script'
