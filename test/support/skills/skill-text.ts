/** The text of an authoring skill, taken apart: its blocks of code in order, and the commands inside sentences. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../architecture/sources.ts'

export interface Block {
  language: string
  text: string
}

export interface SkillText {
  name: string
  text: string
  blocks: Block[]
  /** What stands in backticks and begins with `svc `. */
  inline: string[]
}

const FOLDER = join(ROOT, 'src/service/install/packages')
const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm

const read = (name: string): SkillText => {
  const text = readFileSync(join(FOLDER, name, 'SKILL.md'), 'utf8')
  const blocks = [...text.matchAll(FENCE)].map(([, language = '', body = '']) => ({ language, text: body }))
  const prose = text.replace(FENCE, '')
  const inline = [...prose.matchAll(/`(svc [^`]*)`/g)].map(([, command = '']) => command)
  return { name, text, blocks, inline }
}

export const skillTexts = (): SkillText[] => readdirSync(FOLDER).sort().map(read)

/** More than common tokenizers make of English with code in it. */
const CHARS_PER_TOKEN = 3.5
export const tokensIn = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN)
