/**
 * One hint for every door: what stands in backticks is a field or a route of HTTP, which is what hints are written and
 * recorded with, and the command line, MCP and WebDriver say it in what their callers can use.
 */
export type Door = 'cli' | 'http' | 'mcp' | 'webdriver'

interface Words {
  http: RegExp
  cli: string
  mcp: string
  /** Without it, a request is named as one of svc: the protocol has requests of its own. */
  webdriver?: string
}

/** The tools of MCP, which need a noun: their names are plain words. */
const tool = (name: string) => `the tool ${name}`

const ID = '([^\\s`/?]+)'

const exactly = (http: string, cli: string, mcp = http, webdriver?: string): Words => ({
  http: new RegExp(`^${http}$`),
  cli,
  mcp,
  ...(webdriver === undefined ? {} : { webdriver }),
})

const WORDS: readonly Words[] = [
  exactly('waitMs', '--wait <ms>'),
  exactly('timeoutMs', '--timeout <ms>'),
  exactly('deviceId', '--device <serial>', 'device', 'appium:udid'),
  exactly('operatorPackage', '--operator-package', 'SVC_OPERATOR_PACKAGE', 'svc:operatorPackage'),
  exactly('collapse_shade', 'svc shade close', 'the tool gesture with close_shade'),
  exactly('fromStep', '--from-step <step id>'),
  exactly('since', '--since <execution id>'),
  exactly('expectContains', '--expect-contains'),
  exactly('SVC_POLICY', '--policy` or `SVC_POLICY'),
  exactly('SVC_SKILLS_REGISTRY', '--registry` or `SVC_SKILLS_REGISTRY'),
  exactly('POST /snapshot', 'svc snapshot --compact', tool('snapshot'), 'GET /session/:sessionId/source'),
  exactly('GET /devices', 'svc devices', tool('devices')),
  exactly('GET /devices/<id>/forwards', 'svc forward list', 'svc forward list'),
  exactly('GET /devices/<id>/apps', 'svc apps list', tool('apps')),
  exactly('GET /devices/<id>/apps/<applicationId>', 'svc apps info <package>', tool('apps')),
  exactly('GET /devices/<id>/files', 'svc files list <folder>', tool('files')),
  exactly('GET /devices/<id>/logs', 'svc logs', tool('logs')),
  exactly('GET /devices/<id>/recording', 'svc record status', 'svc record status'),
  exactly('POST /devices/<id>/recording', 'svc record start', 'svc record start'),
  exactly('DELETE /devices/<id>/recording', 'svc record stop', 'svc record stop'),
  exactly('bitRate', '--bit-rate'),
  exactly('overwrite', '--overwrite'),
  exactly('recursive', '--recursive'),
  exactly('force', '--force'),
  exactly('applicationId', '--app'),
  exactly('resourceId', '--id', 'id'),
  exactly('role', '--role'),
  exactly('GET /leases', 'svc lease list', tool('lease')),
  exactly('POST /leases', 'svc lease <device> --for <time>', tool('lease')),
  exactly('Svc-Lease', '--lease <id>', 'device'),
  exactly('POST /screenshot', 'svc screenshot', tool('screenshot'), 'GET /session/:sessionId/screenshot'),
  exactly('GET /skills', 'svc skills list', tool('skills_search')),
  exactly('GET /android/emulators', 'svc emulators list', tool('emulators')),
  exactly('POST /android/provision/emulator', 'svc emulators provision', tool('emulators')),
  exactly(
    `POST /android/emulators/create with abi ${ID}`,
    'svc emulators create <name> --abi $1',
    `${tool('emulators')} with abi $1`,
  ),
  exactly(`DELETE /android/emulators/${ID}`, 'svc emulators delete $1', tool('emulators')),
  exactly(`GET /skills/${ID}`, 'svc skills get $1', tool('skills_get')),
  exactly(`POST /android/emulators/${ID}/stop`, 'svc emulators stop $1', 'svc emulators stop $1'),
  exactly(`POST /fleet/hosts/${ID}/drain`, 'svc fleet drain $1', 'svc fleet drain $1'),
  exactly(`DELETE /test-runs/${ID}`, 'Ctrl-C in svc test', 'svc test'),
  exactly('GET /fleet', 'svc fleet status', 'svc fleet status'),
  exactly('GET /actors', 'svc inspect', 'svc inspect'),
  exactly('GET /actors/<id>/records', 'svc inspect', 'svc inspect'),
  exactly('GET /openapi.json', 'svc --help', 'tools/list'),
  exactly('GET /test-runs', 'svc inspect', 'svc inspect'),
  exactly('POST /test-runs with the flows that did not pass', 'svc test --rerun last', tool('run_flow')),
  exactly('GET /executions', 'svc executions list', tool('receipts')),
  exactly(`GET /executions\\?skillRunId=${ID}`, 'svc executions list --skill-run $1', tool('receipts')),
  exactly(`GET /executions\\?commandId=${ID}`, 'svc executions list --command $1', tool('receipts')),
  exactly(`GET /executions/${ID}`, 'svc executions show $1', tool('receipt')),
  exactly(`DELETE /executions/${ID}`, 'svc executions cancel $1', 'svc executions cancel $1'),
  exactly(
    `POST /executions/${ID}/resume with fromStep (.+)`,
    'svc executions resume $1 --from-step $2',
    'svc executions resume $1 --from-step $2',
  ),
  exactly(`POST /executions/${ID}/resume`, 'svc executions resume $1', 'svc executions resume $1'),
]

const REQUEST = /^[A-Z]+ \//
const SPAN = /`([^`]+)`/g

const spanAt = (door: Exclude<Door, 'http'>, span: string): string => {
  const words = WORDS.find(({ http }) => http.test(span))
  const said = words ? span.replace(words.http, words[door] ?? span) : span
  if (said.startsWith(tool(''))) return said
  const isOther = door === 'webdriver' && words !== undefined && words.webdriver === undefined && REQUEST.test(span)
  return `\`${said}\`${isOther ? ' of svc' : ''}`
}

export const hintAt = (door: Door, hint: string): string =>
  door === 'http' ? hint : hint.replace(SPAN, (_, span: string) => spanAt(door, span))
