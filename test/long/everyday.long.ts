/** Everyday actions, each with every operator through every door: one answer, one effect. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Asked, execute, executionOf, throughAll } from '../service/doors.ts'
import { fleetOfTests } from '../service/doors-fleet.ts'
import { localOfTests } from '../service/doors-local.ts'
import { builtApk } from '../support/device/built-apk.ts'
import { needs } from '../support/needs.ts'
import { temporary } from '../support/temporary.ts'

const OPERATORS = ['com.svc.operator', 'svc.shell', 'svc.uiautomator']
const APP = 'com.example.everyday'
/** These phones have no helper of it: its own tests ask for what it does. */
const HELPERLESS = 'svc.uiautomator'
const BY_OPERATOR = ['press_key', 'expand_shade', 'collapse_shade', 'wait_for_idle']
const CAMERA = 'com.android.camera2'
const folder = temporary('svc-everyday-')

/** Each is asked for on its own; what one leaves, the next finds. */
const steps = (round: string): readonly (readonly [name: string, params: object, said?: object])[] => {
  const file = join(folder(), 'note.txt')
  mkdirSync(folder(), { recursive: true })
  writeFileSync(file, 'a note')
  const apk = join(folder(), 'app.apk')
  writeFileSync(apk, builtApk({ packageName: APP, versionCode: 3 }))
  const there = `/sdcard/${round}.txt`
  return [
    ['install_app', { paths: [apk] }, { application_id: APP, version_code: '3' }],
    ['open_app', { applicationId: APP, stopFirst: true }, { application_id: APP }],
    ['clear_app', { applicationId: APP }, { application_id: APP }],
    ['uninstall_app', { applicationId: APP }, { application_id: APP }],
    ['set_permission', { applicationId: CAMERA, permission: 'camera', state: 'deny' }],
    ['set_permission', { applicationId: CAMERA, permission: 'camera', state: 'allow' }],
    ['push_file', { from: file, to: there }, { path: there, files: '1', bytes: '6' }],
    ['pull_file', { from: there, to: join(folder(), `${round}.txt`), overwrite: true }, { files: '1', bytes: '6' }],
    ['remove_file', { path: there }, { path: there }],
    ['change_setting', { setting: 'dark_mode', value: true }, { setting: 'dark_mode', value: 'true' }],
    ['change_setting', { setting: 'font_scale', value: 1.3 }, { value: '1.3' }],
    ['restore_settings', {}, { left: '[]' }],
    ['set_clipboard', { text: 'copied' }, { text: 'copied' }],
    ['get_clipboard', {}, { text: 'copied' }],
    ['press_key', { key: 'volume_up' }],
    ['expand_shade', { shade: 'notifications' }],
    ['collapse_shade', {}],
    ['wait_for_idle', { timeoutMs: 2_000 }],
    ['measure_startup', { applicationId: CAMERA, runs: 1 }, { application_id: CAMERA }],
  ]
}

const withOperator = (asked: Required<Asked>, operatorPackage: string): Asked => ({
  http: { ...asked.http, body: { ...(asked.http.body as object), operatorPackage } },
  cli: [...asked.cli, '--operator-package', operatorPackage],
})

const dataOf = (raw: Record<string, unknown>): unknown =>
  (raw.envelope as { stepResults?: { data?: unknown }[] } | undefined)?.stepResults?.[0]?.data

const roundOf = (operator: string, door: string) => `${operator}-${door}`.replace(/\W/g, '_')

/** Rows are doors, columns are actions: a failure shows which of them differ. */
const answersOf = async (
  doors: Parameters<typeof throughAll>[0],
  ask: (action: object) => Asked,
  operator: string,
): Promise<Record<string, string[]>> => {
  const wrong: Record<string, string[]> = {}
  for (const [door, only] of Object.entries(doors)) {
    wrong[door] = []
    for (const [type, params, said = {}] of steps(roundOf(operator, door))) {
      if (operator === HELPERLESS && BY_OPERATOR.includes(type)) continue
      const answers = await throughAll({ [door]: only }, () => ask({ id: 'step', type, params }))
      const answer = answers[door]
      if (!answer) continue
      if (answer.code !== 'ok') wrong[door].push(`${type}: ${answer.code} ${JSON.stringify(answer.raw).slice(0, 400)}`)
      else expect(dataOf(answer.raw), `${door} ${type}`).toMatchObject(said)
    }
  }
  return wrong
}

const none = (doors: object) => Object.fromEntries(Object.keys(doors).map(door => [door, []]))

describe('on one machine', () => {
  const here = localOfTests()

  test.each(OPERATORS)(
    'with %s',
    async operator => {
      const { HTTP, CLI, daemon } = here().withDaemon
      const doors = { HTTP, CLI, daemon }
      const ask = (action: object) => withOperator(execute(executionOf([action]), here().phone(0)), operator)
      expect(await answersOf(doors, ask, operator)).toEqual(none(doors))
    },
    240_000,
  )
})

describe.skipIf(!needs('nats-server'))('at another host of a fleet', () => {
  const fleet = fleetOfTests()

  test.each(OPERATORS)(
    'with %s',
    async operator => {
      const { HTTP, CLI } = fleet().doors
      const doors = { HTTP, CLI }
      const ask = (action: object) => withOperator(execute(executionOf([action]), fleet().there), operator)
      expect(await answersOf(doors, ask, operator)).toEqual(none(doors))
    },
    240_000,
  )
})
