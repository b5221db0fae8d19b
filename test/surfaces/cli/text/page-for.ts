/** A page of a given width, at a given time, with no colours. */
import type { Given } from '../../../../src/surfaces/cli/command.ts'
import { createPage, type Page, type PageOptions } from '../../../../src/surfaces/cli/text/page.ts'
import { NOW } from './cases/case.ts'

export const givenWords = (args: readonly string[] = [], flags: Readonly<Record<string, string>> = {}): Given => ({
  args,
  text: flag => flags[flag],
  all: flag => (flags[flag] === undefined ? [] : [flags[flag]]),
  isOn: flag => flags[flag] !== undefined,
})

export const pageFor = (options: Partial<PageOptions> = {}): Page =>
  createPage({
    width: undefined,
    hasColours: false,
    now: NOW,
    offset: () => 120,
    tookMs: 1_240,
    given: givenWords(),
    path: [],
    ...options,
  })
