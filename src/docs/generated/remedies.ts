/** The first thing to do about each code, for the page on troubleshooting; the hint of an answer is often more exact. */
import { FAILURES, type FailureCode } from '../../contracts/failures.ts'
import { stepHint } from '../../contracts/step-answers.ts'

const LOOK =
  'Read the receipt of `details.executionId` (`svc executions show`), and look at the device before you repeat it.'
const CORRECT = 'Correct the request: the message names the field or parameter.'

const REMEDIES: Readonly<Partial<Record<FailureCode, string>>> = {
  INVALID_BODY:
    'Send a JSON object with `Content-Type: application/json`. `details` names the field and lists those that are allowed.',
  INVALID_JSON: 'Correct the JSON at the position that the message names.',
  MISSING_EXECUTION: 'Put the payload into the field `execution` of the body.',
  IDEMPOTENCY_KEY_REUSED: 'Use a new key for another payload.',
  RESUME_IN_DOUBT:
    'Look at the device, then resume with `--from-step <step>`. See [resuming](executions.md#resume-an-execution).',
  RESUME_REFUSED: 'Read `details`: it names the execution that resumed this one, or says what is already done.',
  UNAUTHORIZED:
    'Send `Authorization: Bearer <token>`. `svc serve` prints the token when it starts. See [security](security.md).',
  FORBIDDEN_ORIGIN: 'Start the server with `--allow-origin <origin>` if that page may drive your devices.',
  FORBIDDEN_HOST: 'Use the address that the server listens on, or start it with that name as `--host`.',
  NOT_FOUND: 'Check the path: [HTTP](http.md#requests) lists the requests.',
  METHOD_NOT_ALLOWED: 'Use a method that the header `Allow` names.',
  EXECUTION_NOT_FOUND: 'Check the id with `svc executions list`. Receipts are kept for 7 days, per `SVC_HOME`.',
  ACTOR_NOT_FOUND: '`GET /actors` lists live and recent actors.',
  WEBSOCKET_REQUIRED: 'Connect with a WebSocket client.',
  INTERNAL_SERVER_ERROR: LOOK,
  INTERNAL_ERROR: LOOK,
  EXECUTION_VALIDATION_FAILED:
    'Correct what `details.problems` lists. `svc exec --validate-only` checks a payload without a device.',
  PAYLOAD_TOO_LARGE: 'Send fewer actions at once, or shorter texts.',
  EXECUTION_CONFLICT_IN_FLIGHT: 'Wait for the device (`--wait <ms>`, `waitMs`), or cancel what `details.holder` names.',
  NO_DEVICES: 'Connect a device, start an emulator, or run `svc simulate`. `svc doctor` says what is missing.',
  DEVICE_NOT_FOUND: 'Name one of `details.connected`.',
  MULTIPLE_DEVICES_DEVICE_ID_REQUIRED: 'Name one of `details.connected` with `--device` or `deviceId`.',
  EXECUTION_DENIED:
    'Read the rule that `details.rule` names, and change [the policy](policy.md) if the action should run.',
  REF_STALE: 'Take a new compact snapshot and use its refs.',
  REF_AMBIGUOUS: 'Use a selector, or click a point.',
  DEVICE_NOT_INTERACTIVE: 'Unlock the device. `svc` wakes a screen, but it cannot enter a PIN.',
  DEVICE_UNAUTHORIZED: 'Unlock the device and accept the question about USB debugging.',
  DEVICE_OFFLINE: 'Plug the device in again, or restart the adb server.',
  DEVICE_ACCESSIBILITY_NOT_RUNNING:
    'Switch on the accessibility service of the operator in the settings of the device.',
  DEVICE_SHELL_UNAVAILABLE: 'Reconnect the device, or restart it.',
  DEVICE_LINK_LOST: LOOK,
  DEVICE_OUTPUT_TOO_LARGE: LOOK,
  OPERATOR_NOT_INSTALLED:
    'Install the operator app, or leave the operator out: `svc.shell` needs no app. See [operators](devices.md#operators).',
  OPERATOR_START_FAILED: 'End the other automation on the device that the message names (Appium, uiautomator).',
  BROADCAST_FAILED: 'Try again. If it stays, restart the device.',
  RESULT_ENVELOPE_TIMEOUT: LOOK,
  RESULT_ENVELOPE_MALFORMED: LOOK,
  EXECUTION_INTERRUPTED: 'Read `details.dispatched`. See [did my tap happen?](executions.md).',
  EXECUTION_CANCELLED: 'Read `details.dispatched`: with `false` nothing was sent.',
  ADB_NOT_FOUND: 'Install platform-tools and put adb on the `PATH`, or set `ADB_PATH` or `ANDROID_HOME`.',
  ADB_SERVER_FAILED: 'Run `adb devices` to see what adb says, then try again.',
  FLEET_UNREACHABLE: 'Check that the NATS servers run: `svc doctor --fleet <urls>`.',
  FLEET_HOST_GONE:
    '`svc fleet status` shows when the host was heard last. `details.dispatched` says whether anything was sent.',
  FLEET_UNSAFE:
    'Change what the message names in the settings of the servers. See [the servers](fleet.md#the-servers).',
  FLEET_HOST_TAKEN: 'Start this host with another `--fleet-host`.',
  JOURNAL_UNAVAILABLE: 'Read `details.reason`. See [the journal](journal.md#when-the-journal-fails).',
  REGISTRY_READ_FAILED: 'Name a registry file with `--registry`, or create one with `svc skills install`.',
  SKILL_NOT_FOUND: '`svc skills list` shows the ids of the registry.',
  SKILL_ID_INVALID: 'Give an id of the form `<applicationId>.<intent>`, such as `com.example.app.login`.',
  SKILL_ALREADY_EXISTS: 'Choose another id, or remove the skill of this one.',
  SKILL_VALIDATION_FAILED: 'Restore the files that `details.missingFiles` lists, or correct `skill.json`.',
  SKILL_SCRIPT_NOT_FOUND: 'Restore the script, or name another one in the registry entry.',
  SKILL_AGENT_CLI_UNAVAILABLE: 'Install the agent CLI that `skill.json` names, and put it on the `PATH`.',
  SKILL_EXECUTION_FAILED:
    'Read the end of the message and `stderr`. `svc executions list --skill-run <id>` shows what was done.',
  SKILL_EXECUTION_TIMEOUT: 'Give a longer `--timeout`, after a look at `svc executions list --skill-run <id>`.',
  SKILL_OUTPUT_ASSERTION_FAILED: 'Compare `output` with the text of `--expect-contains`.',
  SKILL_RESULT_PARSE_FAILED:
    'End the script with one frame and nothing after it. See [the frame](skills.md#the-result-of-a-run).',
  SKILL_VERIFICATION_INDETERMINATE: 'The skill ran, and did not prove its end: look at the device.',
  SKILLS_SYNC_FAILED: 'Use `--ref main`, the only ref there is.',
  SKILLS_GIT_NOT_FOUND: 'Install git. Nothing is downloaded with it.',
  SKILLS_RECORD_FAILED:
    'Follow the message: it names the execution and the step. See [record a skill](record-a-skill.md).',
  SKILLS_SCAFFOLD_FAILED: 'Make the folder that the message names writable.',
  ARTIFACT_NOT_FOUND: 'Use a name that `svc skills get <id>` lists under `artifacts`.',
  COMPILE_VAR_MISSING: 'Give the value in `--vars`.',
  COMPILE_VARS_PARSE_FAILED: 'Write `--vars` as a JSON object in single quotes.',
  COMPILE_VALIDATION_FAILED: 'Correct the recipe, or the values that were put into it.',
  EMULATOR_NOT_FOUND: '`svc emulators list` shows the AVDs.',
  EMULATOR_NOT_RUNNING: '`svc emulators running` shows which emulators run.',
  EMULATOR_UNSUPPORTED: 'Read `details.unsupportedReasons`, or make a supported one with `svc emulators provision`.',
  EMULATOR_ALREADY_RUNNING: 'Use it as it is, or stop it first.',
  EMULATOR_BUSY: 'Wait until the request that the message names has ended.',
  EMULATOR_ALREADY_EXISTS: 'Choose another name, or delete the AVD.',
  EMULATOR_START_FAILED:
    'Read `details.output`, the end of the log of the emulator. `svc doctor --emulators` checks the host.',
  EMULATOR_STOP_FAILED: 'End the process that the message names by hand.',
  ANDROID_SDK_TOOL_MISSING:
    'Install the Android SDK and set `ANDROID_HOME`. `svc doctor --emulators` names what is missing.',
  ANDROID_AVD_CREATE_FAILED: 'Read the output of `avdmanager` in the message. Nothing is left of the AVD.',
  ANDROID_AVD_DELETE_FAILED: 'Read the output of `avdmanager` in the message, and try again.',
  ANDROID_SYSTEM_IMAGE_INSTALL_FAILED: 'Check the network, the disk and the licences: `svc doctor --emulators`.',
  DAEMON_START_FAILED: 'Read `~/.svc/daemon/daemon-<key>.log`, or use `--no-daemon`.',
  DAEMON_STOP_FAILED: 'End the process that the message names by hand.',
  DAEMON_PROXY_ERROR: 'Read the receipt of `details.executionId`: `svc executions show <id>` says whether it happened.',
  USAGE: 'Follow the message, or run the command with `--help`.',
  SERVE_START_FAILED: 'Choose another `--port` or `--host`, or stop the process that listens there.',
  OPERATOR_INSTALL_FAILED: 'Read `details.reason`: some phones ask on their screen whether adb may install.',
  AUTHORING_SKILLS_CONFLICT: 'Move or rename what is in the way, and run the command again.',
  AUTHORING_SKILLS_NOT_INSTALLED: 'Run `svc authoring-skills install` first.',
  INSTALL_FAILED: 'Correct what `details.refused` lists and run the command again; it continues where it stopped.',
  UPGRADE_CHECK_FAILED: 'Run it where npm reaches its registry. `svc` works without this check.',
}

/** A code that has no remedy of its own gets that of its kind. */
export const remedyOf = (failureCode: FailureCode): string => {
  const own = stepHint(failureCode) ?? REMEDIES[failureCode]
  if (own !== undefined) return own
  const { mayHaveExecuted, retriable } = FAILURES[failureCode]
  if (mayHaveExecuted) return LOOK
  return retriable ? 'Try again.' : CORRECT
}
