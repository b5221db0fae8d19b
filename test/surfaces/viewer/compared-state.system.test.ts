/** A compared state in a browser: its border differs from that of every other kind of state, and an active one keeps its colour. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

const STYLE = ['base', 'chart'].map(name => read(`src/surfaces/viewer/style/${name}.css`)).join('\n')

const borderOf = (path: string, added: string) => `(() => {
  const state = document.querySelector('[data-state="${path}"]')
  const before = state.getAttribute('class')
  state.setAttribute('class', before + ' ${added}')
  const { stroke } = getComputedStyle(state.querySelector('.box'))
  state.setAttribute('class', before)
  return stroke
})()`

describe.skipIf(!needs('chromium'))('the border of a state', () => {
  const { open } = browsing()

  test.each(['light', 'dark'] as const)(
    'on the way of a success, in flight or both, on a %s page',
    async colorScheme => {
      const { page } = await open('about:blank', { colorScheme })
      const svg = read('statecharts/device.svg')
      await page.setContent(`<style>${STYLE} .statechart * { transition: none !important }</style>${svg}`)
      const states = ['idle', 'running.accepted', 'running.draining']
      const borders = async (added: string) =>
        new Set(await Promise.all(states.map(path => page.evaluate<string>(borderOf(path, added)))))
      const [plain, compared, active] = [await borders(''), await borders('compared'), await borders('active')]
      expect(compared.size).toBe(1)
      expect(active.size).toBe(1)
      expect(plain.size).toBeGreaterThan(1)
      expect(new Set([...plain, ...compared, ...active]).size).toBe(plain.size + 2)
    },
  )
})
