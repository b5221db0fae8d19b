/** A flow file that does what recorded actions did; an action without a command stands in it as a comment. */
import { stringify } from 'yaml'
import type { Action } from '../../../contracts/executions/action.ts'
import type { Matcher } from '../../../contracts/executions/matcher.ts'
import { writtenCommands } from './written-commands.ts'
import { shortSelector, writtenSelector } from './written-selector.ts'

export interface RecordedFlow {
  readonly applicationId: string
  readonly name: string
  /** With placeholders such as {{QUERY}} for the variables. */
  readonly actions: readonly Action[]
  readonly variables: readonly { readonly variable: string; readonly isSecret: boolean }[]
  /** The node that is there when the flow has done its work. */
  readonly end: Matcher | undefined
}

export interface WrittenFlow {
  readonly text: string
  readonly notes: readonly string[]
}

const YAML = { lineWidth: 0 } as const
const SHOWN_CHARS = 200

/** One line, whatever the action holds. */
const inComment = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, SHOWN_CHARS)

const headComments = ({ variables }: RecordedFlow): string[] =>
  variables.map(({ variable, isSecret }) =>
    isSecret
      ? `# Set ${variable} in the environment and give it with -e ${variable}: its value is kept out of everything.`
      : `# Give ${variable} with -e ${variable}=<text>.`,
  )

export const writeFlow = (recorded: RecordedFlow): WrittenFlow => {
  const { applicationId, name, actions, end } = recorded
  const variables = recorded.variables.map(({ variable }) => variable)
  const notes: string[] = []
  const lines = actions.map(action => {
    const { commands, notes: commandNotes } = writtenCommands(action, variables)
    notes.push(...commandNotes.map(note => `flow.yaml, step "${action.id}": ${note}`))
    if (commands) return stringify(commands, YAML)
    notes.push(`flow.yaml: flows have no command for step "${action.id}" (${action.type}), which is a comment there`)
    return `# No command for ${inComment(`${action.type} ${JSON.stringify(action.params ?? {})}`)}\n`
  })
  const last = end && writtenSelector(end, variables)
  const proof = last?.ok ? stringify([{ assertVisible: shortSelector(last.selector) }], YAML) : ''
  const head = [...headComments(recorded), stringify({ appId: applicationId, name }, YAML).trimEnd(), '---', ''].join(
    '\n',
  )
  return { text: `${head}${lines.join('')}${proof}`, notes }
}
