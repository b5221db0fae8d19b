import { expect, test } from 'vitest'
import { readApk } from '../../src/simulator/apk.ts'
import { builtApk } from '../support/device/built-apk.ts'
import { keyboardApk, snapshotApk } from '../support/device/helper-apks.ts'

test('APKs of one maker have one signer, whatever is in them', () => {
  const [snapshot, keyboard] = [readApk(snapshotApk()), readApk(keyboardApk())]
  expect(snapshot?.signer).toMatch(/^[0-9a-f]{64}$/)
  expect(keyboard?.signer).toBe(snapshot?.signer)
})

test('another certificate is another signer', () => {
  const [one, same, other] = ['a', 'a', 'b'].map((signedBy, at) => readApk(builtApk({ signedBy, versionCode: at })))
  expect(one?.signer).toBeDefined()
  expect(same?.signer).toBe(one?.signer)
  expect(other?.signer).not.toBe(one?.signer)
})

test('one that nobody has signed', () => {
  expect(readApk(builtApk({ signedBy: undefined }))).toMatchObject({
    packageName: 'com.example.built',
    signer: undefined,
  })
})

test('a signing block that is damaged counts as none', () => {
  const apk = builtApk()
  const certificate = apk.indexOf('someone')
  apk.writeUInt32LE(0xffff, certificate - 4)
  expect(readApk(apk)).toMatchObject({ signer: undefined })
})
