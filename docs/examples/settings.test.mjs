import { test } from 'svc/vitest'
import { expect } from 'vitest'

test('opens the settings', async ({ phone }) => {
  await phone.open('com.android.settings')
  expect((await phone.read({ text: 'Settings' })).data.text).toBe('Settings')
})
