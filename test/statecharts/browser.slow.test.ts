/** The pictures as browsers draw them from the disk: no text leaves its box in any font. */
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { browsing } from '../support/pictures/browser.ts'
import { FONTS, textsOutsideBoxes, useFont, useFontAlways, WIDEST } from '../support/pictures/texts-in-boxes.ts'
import { CHARTS, FOLDER } from './generated.ts'

const fileUrl = (name: string) => pathToFileURL(FOLDER + name).href

describe.skipIf(!needs('chromium'))('a picture by itself, without any script', () => {
  const { open } = browsing()

  test.each(FONTS)('keeps its texts in their boxes in %s', async (_, font) => {
    const { page } = await open('about:blank')
    for (const [machine] of CHARTS) {
      await page.goto(fileUrl(`${machine}.svg`))
      await useFont(page, font)
      const { found, texts } = await textsOutsideBoxes(page)
      expect(found, machine).toEqual([])
      expect(texts).toBeGreaterThan(10)
    }
  })
})

describe.skipIf(!needs('chromium'))('the gallery', () => {
  const { open } = browsing()

  test.each([...FONTS, ['a font that is wider than any expected one', WIDEST] as const])(
    'keeps all texts in their boxes in %s',
    async (_, font) => {
      const { page } = await open('about:blank')
      await useFontAlways(page, font)
      await page.goto(fileUrl('index.html'))
      expect((await textsOutsideBoxes(page)).found).toEqual([])
      expect(await page.locator('svg.statechart').count()).toBe(CHARTS.length)
    },
  )
})
