import { expect, test } from 'vitest'
import { DaemonLock, DaemonMetadata, DaemonReport, DaemonResponse } from '../../src/contracts/daemon.ts'
import { accept, complaints } from './parse.ts'
import { metadata, runningReport } from './samples/host.ts'

test('metadata of another writer is readable, and says no more than it says', () => {
  expect(accept(DaemonMetadata, metadata)).toEqual(metadata)
  const ours = { ...metadata, startTime: 'boot+12', instanceId: 'x' }
  expect(accept(DaemonMetadata, ours)).toEqual(ours)
})

test.each(['pid', 'startedAt', 'daemonKey', 'cliEntryPath', 'rawDeviceId'])('metadata needs %s', key => {
  const rest = Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== key))
  expect(complaints(DaemonMetadata, rest)).toEqual([key])
})

test('a pid is a positive whole number', () => {
  for (const pid of [0, -1, 1.5, '1', null]) {
    expect(complaints(DaemonMetadata, { ...metadata, pid })).toEqual(['pid'])
    expect(complaints(DaemonLock, { pid })).toEqual(['pid'])
  }
})

test('a running daemon reports who it is', () => {
  expect(accept(DaemonResponse, { ok: true, daemon: runningReport })).toEqual({ ok: true, daemon: runningReport })
  for (const key of ['socketPath', 'pid', 'version', 'buildIdentity', 'uptimeSeconds']) {
    const rest = Object.fromEntries(Object.entries(runningReport).filter(([name]) => name !== key))
    expect(complaints(DaemonReport, rest)).toEqual([key])
  }
  for (const uptimeSeconds of [-1, 0.5])
    expect(complaints(DaemonReport, { ...runningReport, uptimeSeconds })).toEqual(['uptimeSeconds'])
})

test.each(['started', 'already_running', 'stopped', 'not_running', 'unowned'])('%s reports its socket', status => {
  expect(accept(DaemonReport, { status, socketPath: '/s' })).toEqual({ status, socketPath: '/s' })
  expect(complaints(DaemonReport, { status })).toEqual(['socketPath'])
})

test('there is no other status', () => {
  expect(complaints(DaemonReport, { status: 'restarted', socketPath: '/s' })).toEqual(['status'])
})
