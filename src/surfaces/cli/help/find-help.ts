/** The text of `svc help <words>` and of `--help`: of a command, a group, a topic, or all of svc. */

import { didYouMean } from '../../../runtime/text/nearest-word.ts'
import { type Command, usage } from '../command.ts'
import { knownElsewhere } from '../flags/suggestions.ts'
import { commandHelp, groupHelp } from '../help.ts'
import { overview } from './overview.ts'
import { TOPICS } from './topics.ts'

const topicList = () => ['Topics:', ...TOPICS.map(({ name, summary }) => `  ${name.padEnd(12)}  ${summary}`)].join('\n')

/** Undefined where there is neither a command nor a group of this name. */
const commandText = (commands: readonly Command[], name: string): string | undefined => {
  const found = commands.find(({ path }) => path.join(' ') === name)
  if (found) return commandHelp(found)
  return commands.some(({ path, internal }) => path[0] === name && !internal) ? groupHelp(commands, name) : undefined
}

/** Undefined where there is no topic of this name. */
export const topicText = async (name: string): Promise<string | undefined> => {
  const topic = TOPICS.find(each => each.name === name)
  return topic && (await import('./topic-texts.ts')).TOPIC_TEXTS[topic.name]
}

/** A topic of the same name adds to a command. */
export const helpFor = async (commands: readonly Command[], words: readonly string[]): Promise<string> => {
  if (words.length === 0) return overview(commands)
  const name = words.join(' ')
  const texts = [commandText(commands, name), await topicText(name)].filter(text => text !== undefined)
  if (texts.length > 0) return texts.join('\n\n')
  const offered = commands.filter(({ internal }) => !internal)
  const names = [...offered.map(({ path }) => path.join(' ')), ...TOPICS.map(topic => topic.name)]
  const suggestion = knownElsewhere(words)
  const question = suggestion === undefined ? didYouMean(name, names) : ` Did you mean ${suggestion}?`
  throw usage(`There is no command or topic "${name}".${question}`, { hint: 'See: svc help' })
}

export const helpWithTopics = (commands: readonly Command[]): string => `${overview(commands)}\n\n${topicList()}`
