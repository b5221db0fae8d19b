/** What the lockfile must say so that the first command of a newcomer prints no warning. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HELPER_SOURCE } from '../../src/device/operators/uiautomator/helper-apks.ts'
import { ROOT } from './sources.ts'

test('the package of the helpers is locked at its version, and asks for no newer Node: none of its code runs', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const locked = packages[`node_modules/${HELPER_SOURCE.package}`]
  expect(locked).toMatchObject({ version: HELPER_SOURCE.version, dev: true })
  expect(locked).not.toHaveProperty('engines')
})

test('the NATS client asks for no newer Node than svc does: its one package that would runs on this one', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const locked = packages['node_modules/@nats-io/nuid']
  expect(locked).toMatchObject({ version: '3.0.0', dev: true })
  expect(locked).not.toHaveProperty('engines')
})
