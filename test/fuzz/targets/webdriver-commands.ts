/** Every command of a WebDriver session, over the real server and a simulated phone. */

import { MOBILE_METHODS } from '../../../src/surfaces/webdriver/commands/script.ts'
import { SESSION_COMMANDS } from '../../../src/surfaces/webdriver/commands/session-commands.ts'
import { startWebDriverLab } from '../../support/webdriver/webdriver-lab.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutateText } from '../mutate/text.ts'
import { expectThat, type OpenTarget, type Target } from '../target.ts'
import { mutateBody, request } from './http-requests.ts'
import { type Answer, answersIn, talk } from './http-talk.ts'
import { webdriverBodies } from './webdriver.ts'

/** Stand for the ids of the present session, and of an element in it. */
const SESSION = 'SESSION'
const ELEMENT = 'ELEMENT'

const [CAPABILITIES = '', ACTIONS = ''] = webdriverBodies.seeds.map(String)

const BODIES: Readonly<Record<string, string>> = {
  '/timeouts': '{"implicit":10,"script":5}',
  '/element': '{"using":"id","value":"save"}',
  '/elements': '{"using":"xpath","value":"//*"}',
  '/element/:elementId/value': '{"text":"abc","value":["a","b"]}',
  '/actions': ACTIONS,
  '/orientation': '{"orientation":"LANDSCAPE"}',
  '/rotation': '{"x":0,"y":0,"z":90}',
  '/context': '{"name":"NATIVE_APP"}',
  '/appium/settings': '{"settings":{"waitForIdleTimeout":5}}',
  '/appium/device/press_keycode': '{"keycode":4,"metastate":1}',
  '/appium/device/push_file': '{"path":"/sdcard/a.txt","data":"aGk="}',
  '/appium/device/pull_file': '{"path":"/sdcard/a.txt"}',
  '/appium/device/activate_app': '{"appId":"com.example.vault"}',
  '/appium/device/set_clipboard': '{"content":"aGk=","contentType":"plaintext"}',
}

const GESTURE = { x: 10, y: 20, left: 0, top: 0, width: 100, height: 200, direction: 'up', percent: 0.5, duration: 10 }
const NAMES = {
  appId: 'com.example.vault',
  package: 'com.example.vault',
  permissions: ['android.permission.CAMERA'],
  text: 'x',
}

const ofCommands = SESSION_COMMANDS.map(({ method, path }) => {
  const below = path.replace(':elementId', ELEMENT).replace(':name', 'text')
  return request(`${method} /session/${SESSION}${below}`, [], method === 'POST' ? (BODIES[path] ?? '{}') : '')
})
const ofMethods = MOBILE_METHODS.map(({ name }) =>
  request(
    `POST /session/${SESSION}/execute/sync`,
    [],
    JSON.stringify({ script: `mobile: ${name}`, args: [{ ...GESTURE, ...NAMES, elementId: ELEMENT }] }),
  ),
)

const PATHS = [
  ...SESSION_COMMANDS.map(({ path }) => `/session/${SESSION}${path}`),
  ...['/wd/hub', '/status', '/sessions', ELEMENT, 'e1', '%00', 'POST ', 'GET ', 'DELETE '],
] as unknown as readonly [string, ...string[]]

/** The phone may have something to do first. */
const LISTENING_MS = 500

/** What an internal error says of itself. */
const INTERNAL = /An internal error occurred|INTERNAL_ERROR|cannot be written as JSON/

const judge = ({ status, body, type }: Answer): void => {
  expectThat(!INTERNAL.test(body), `an internal error: ${body.slice(0, 500)}`)
  if (!type.startsWith('application/json')) return
  const { value } = JSON.parse(body)
  if (status < 400) return
  const isError = typeof value?.error === 'string' && typeof value.message === 'string' && value.message !== ''
  expectThat(isError, `no error of WebDriver: ${body.slice(0, 300)}`)
}

const open = async (): Promise<OpenTarget> => {
  const lab = await startWebDriverLab()
  const { hostname, port } = new URL(lab.url)
  const begin = async () => {
    const session = await lab.session()
    const element = await session.find('xpath', '//*[@text]').catch(() => 'none')
    return { ids: [session.id, element] as const }
  }
  let present = await begin()
  return {
    async read(input) {
      const [session, element] = present.ids
      const text = input.toString('latin1').replaceAll(SESSION, session)
      const at = text.indexOf('\r\n')
      const bytes = Buffer.from(text.slice(0, at).replaceAll(ELEMENT, element) + text.slice(at), 'latin1')
      const answers = answersIn(await talk({ host: hostname, port: Number(port) }, bytes, LISTENING_MS))
      for (const answer of answers) judge(answer)
      const isGone = text.startsWith('DELETE') || answers.some(({ body }) => body.includes('invalid session id'))
      if (isGone && (await lab.ask('GET', `/session/${session}/timeouts`)).status >= 400) present = await begin()
      return answers.some(({ status }) => status < 400) ? 'accepted' : 'refused'
    },
    close: lab.close,
  }
}

export const webdriverCommands: Target = {
  name: 'webdriver-commands',
  seeds: [...ofCommands, ...ofMethods, request('GET /status'), request('POST /session', [], CAPABILITIES)],
  mutate: oneOf(mutateBody, mutateBody, mutateBody, mutateText(PATHS), mutateBytes),
  bytesMax: 32 * 1_024,
  open,
}
