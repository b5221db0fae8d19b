/** The capability `app`: an APK of the host of the server, installed unless that version is there. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtApk } from '../../../support/device/built-apk.ts'
import { startWebDriverLab, type WebDriverLab } from '../../../support/webdriver/webdriver-lab.ts'

let lab: WebDriverLab
beforeAll(async () => {
  lab = await startWebDriverLab()
})
afterAll(() => lab.close())

const APP = 'com.example.built'

const apk = (versionCode: number) => {
  const path = join(lab.lab.home, `v${versionCode}.apk`)
  writeFileSync(path, builtApk({ packageName: APP, versionCode }))
  return path
}

/** What the session prepared, as it is on record. */
const opened = async (capabilities: object): Promise<{ steps: string[]; value: Record<string, unknown> }> => {
  const created = await lab.create(capabilities)
  if (created.status !== 200) throw new Error(JSON.stringify(created.value))
  const actor = `session:${created.value.sessionId}`
  const records = [...lab.lab.services.journal().records({ actor, limit: 20 })]
  await lab.ask('DELETE', `/session/${created.value.sessionId}`)
  const begun = records.filter(({ event }) => event.type === 'preparation.begun')
  return { steps: begun.map(({ event }) => String(event.what)), value: created.value.capabilities }
}

test('is installed once for each version, reset in between, and removed first where fullReset says so', async () => {
  const first = await opened({ 'appium:app': apk(1) })
  expect(first.steps).toEqual(['install', 'launch'])
  expect(first.value['appium:appPackage']).toBe(APP)
  expect((await opened({ 'appium:app': apk(1) })).steps).toEqual(['launch'])
  expect((await opened({ 'appium:app': apk(2), 'appium:autoGrantPermissions': true })).steps).toEqual([
    'install',
    'launch',
  ])
  expect((await opened({ 'appium:app': apk(2), 'appium:fullReset': true })).steps).toEqual([
    'uninstall',
    'install',
    'launch',
  ])
  expect((await opened({ 'appium:app': apk(2), 'appium:noReset': true, 'appium:autoLaunch': false })).steps).toEqual([])
})

test.each([
  ['that is not there', () => '/nowhere/a.apk', 'FILE_NOT_FOUND'],
  [
    'that is no APK',
    () => {
      const path = join(lab.lab.home, 'text.apk')
      writeFileSync(path, 'no archive')
      return path
    },
    'INSTALL_FAILED',
  ],
])('a file %s is refused, and the phone is free', async (_, path, code) => {
  const refused = await lab.create({ 'appium:app': path() })
  expect(refused.value).toMatchObject({ error: 'session not created', data: { code } })
  expect(lab.lab.services.journal().leases.list()).toEqual([])
})
