/** The notice of a command that a daemon of another environment cannot take: its command must help. */
import { expect, test } from 'vitest'
import { otherEnvironment } from '../../../../src/surfaces/daemon/client/other-environment.ts'

test.each([
  [
    'names the variables that differ, and only those',
    ['SVC_JOURNAL=on\nSVC_LEASE_BY=adb-serial', 'SVC_JOURNAL=on\nSVC_TCP_DEVICES=a=b', ''],
    'with other values of SVC_LEASE_BY, SVC_TCP_DEVICES; to give it yours: svc daemon restart',
  ],
  [
    'names the daemon of the device',
    ['', 'SVC_JOURNAL=off', 'my phone'],
    "with other values of SVC_JOURNAL; to give it yours: svc daemon restart --device 'my phone'",
  ],
  [
    'speaks of the policy where that is what differs',
    ['', 'SVC_POLICY=/work/strict.json', 'p1'],
    'with the policy of its home, not the policy /work/strict.json; to give it yours: svc daemon restart --device p1 --policy /work/strict.json',
  ],
  [
    'needs no flag for the policy of the home',
    ['SVC_POLICY=/work/strict.json', '', ''],
    'with the policy /work/strict.json, not the policy of its home; to give it yours: svc daemon restart',
  ],
])('%s', (_name, [theirs = '', ours = '', device = ''], said) => {
  expect(otherEnvironment(theirs, ours, device)).toBe(`the daemon was started ${said}`)
})
