import { expect, test } from 'vitest'
import { readFlow } from '../../../../../src/service/flows/language/read/read-flow.ts'

const read = (header: string) => readFlow(`${header}\n---\n- launchApp\n`, '/flows/a.yaml')

test('an application for each platform: that of Android counts', () => {
  const flow = read('appId:\n  android: com.example.shop\n  ios: com.example.shop.ios')
  expect(flow).toMatchObject({ ok: true, flow: { config: { appId: 'com.example.shop' } } })
})

test('applications of other platforms alone are refused with their place', () => {
  const flow = read('appId:\n  ios: com.example.shop.ios')
  expect(flow).toMatchObject({
    ok: false,
    problems: [{ line: 2, message: 'appId names no application of Android.', hint: 'Add the key android to it.' }],
  })
})
