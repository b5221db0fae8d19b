import { actionTable } from './table.ts'

const NO_END = Number.POSITIVE_INFINITY
const applicationId = 'com.example'
const CAMERA = 'android.permission.CAMERA'

const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, at]))

const refused = (params: object, at: string): [object, string] => [{ applicationId, ...params }, `params.${at}`]

actionTable(
  {
    type: 'open_app',
    least: { applicationId: 'com.example' },
    filled: { applicationId: 'com.example', skipNavigationWait: false, navigationTimeoutMs: 15_000 },
    required: ['applicationId'],
    texts: { applicationId: [1, NO_END] },
    booleans: ['skipNavigationWait', 'clearState', 'stopFirst'],
    integers: { navigationTimeoutMs: [1_000, 120_000] },
    accepted: [
      ...['.Detail', 'com.example.Detail', 'Main$Inner', '_a.b1', 'a'.repeat(255)].map(activity => ({
        applicationId,
        activity,
      })),
      ...[{}, { 'a name': '', n: -1.5, b: false }, named(50)].map(args => ({ applicationId, arguments: args })),
      ...[{}, { all: 'deny', [CAMERA]: 'allow', media: 'unset' }].map(permissions => ({ applicationId, permissions })),
    ],
    rejected: [
      [{ applicationId: ' \t' }, 'params.applicationId'],
      [{ package: 'com.example' }, 'params.package'],
      ...['', 'a'.repeat(256), 'com.example/.Detail', '.', 'a b', '.De-tail', "x'; reboot #", '1.A'].map(activity =>
        refused({ activity }, 'activity'),
      ),
      ...[named(51), { '': 'a' }, { ' ': 'a' }, { ['a'.repeat(201)]: 'a' }, { a: 'b'.repeat(8_192) }].map(args =>
        refused({ arguments: args }, 'arguments'),
      ),
      ...['{"__proto__": 1}', '{"constructor": "x"}', '{"prototype": true}'].map(text =>
        refused({ arguments: JSON.parse(text) }, 'arguments'),
      ),
      ...[null, [], {}, 'a\0b', '\ud800', Number.POSITIVE_INFINITY].map(value =>
        refused({ arguments: { a: value } }, 'arguments.a'),
      ),
      ...[{ nonsense: 'allow' }, { CAMERA: 'allow' }, { 'a b.c': 'deny' }].map(permissions =>
        refused({ permissions }, 'permissions'),
      ),
      refused({ permissions: { camera: 'yes' } }, 'permissions.camera'),
    ],
  },
  {
    type: 'open_uri',
    least: { uri: 'https://example.com/?q=1' },
    filled: { uri: 'https://example.com/?q=1' },
    required: ['uri'],
    texts: { uri: [1, 2_048] },
    rejected: [[{ uri: '  ' }, 'params.uri']],
  },
  {
    type: 'close_app',
    least: { applicationId: 'com.example' },
    filled: { applicationId: 'com.example' },
    required: ['applicationId'],
    texts: { applicationId: [1, NO_END] },
    rejected: [[{ applicationId: '\n' }, 'params.applicationId']],
  },
  {
    type: 'install_app',
    least: { paths: ['app.apk'] },
    filled: { paths: ['app.apk'], grantPermissions: false, downgrade: false },
    required: ['paths'],
    booleans: ['grantPermissions', 'downgrade'],
    rejected: [
      [{ paths: [] }, 'params.paths'],
      [{ paths: Array.from({ length: 51 }, (_, at) => `${at}.apk`) }, 'params.paths'],
      [{ paths: ['a.apk', ' '] }, 'params.paths.1'],
      [{ paths: 'app.apk' }, 'params.paths'],
    ],
  },
  {
    type: 'uninstall_app',
    least: { applicationId: 'com.example' },
    filled: { applicationId: 'com.example', keepData: false },
    required: ['applicationId'],
    texts: { applicationId: [1, NO_END] },
    booleans: ['keepData'],
    rejected: [[{ applicationId: ' ' }, 'params.applicationId']],
  },
  {
    type: 'clear_app',
    least: { applicationId: 'com.example' },
    filled: { applicationId: 'com.example' },
    required: ['applicationId'],
    texts: { applicationId: [1, NO_END] },
    rejected: [[{ applicationId: 'com.example', keepData: true }, 'params.keepData']],
  },
  {
    type: 'set_permission',
    least: { applicationId: 'com.example', permission: 'camera', state: 'allow' },
    filled: { applicationId: 'com.example', permission: 'camera', state: 'allow' },
    required: ['applicationId', 'permission', 'state'],
    texts: { applicationId: [1, NO_END] },
    choices: { state: ['allow', 'deny', 'unset'] },
    accepted: ['all', CAMERA, 'com.example.permission.OWN'].map(permission => ({
      ...{ applicationId, permission, state: 'deny' },
    })),
    rejected: ['', 'Camera', 'CAMERA', 'android.permission.', "a.b'; reboot #", `a.${'b'.repeat(254)}`, 7].map(
      permission => refused({ permission, state: 'allow' }, 'permission'),
    ),
  },
  {
    type: 'measure_startup',
    least: { applicationId: 'com.example' },
    filled: { applicationId: 'com.example', runs: 5, stopFirst: true },
    required: ['applicationId'],
    texts: { applicationId: [1, NO_END] },
    booleans: ['stopFirst'],
    rejected: [
      [{ applicationId: 'com.example', runs: 0 }, 'params.runs'],
      [{ applicationId: 'com.example', runs: 21 }, 'params.runs'],
    ],
  },
)
