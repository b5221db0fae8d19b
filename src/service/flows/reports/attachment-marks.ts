/** Readers of JUnit open the file that an attachment mark names. Only files of the run are named so. */
import type { Attachment } from './attachments.ts'
import type { Element } from './xml.ts'

/** Texts of flows and apps begin no mark. */
export const withoutMarks = (text: string): string => text.replace(/\[(?=\[)/g, '[ ')

/** A path would end at such a sign, so a file with one in its path has its property alone. */
const ENDS_PATH = /[[\]|\p{Cc}]/u

export const attachmentMarks = (files: readonly Attachment[]): string[] =>
  files.flatMap(({ projectPath }) => (ENDS_PATH.test(projectPath) ? [] : [`[[ATTACHMENT|${projectPath}]]`]))

/** True for a property of a flow's header that would name a file. */
export const namesAttachment = (property: string): boolean => /attachment(_\d+)?$/i.test(property)

/** The output of an attempt ends in marks of its own, and is left as it is. */
const MARKED = 'system-out'

export const withoutMarksIn = ({ name, attributes, content }: Element): Element => ({
  name,
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, typeof value === 'string' ? withoutMarks(value) : value]),
  ),
  content:
    typeof content !== 'string' ? content.map(withoutMarksIn) : name === MARKED ? content : withoutMarks(content),
})
