/** The language of scenarios as a JSON Schema, for editors and for those who write scenarios with programs. */
import { toSchema } from '../../contracts/json/to-json-schema.ts'
import { NodeChanges } from './field-schemas.ts'
import { KeyReactions, ScenarioNode } from './node.ts'
import { Condition, Reaction, Reactions, ScrollReactions, TextReactions } from './reaction.ts'
import { WrittenScenario } from './scenario.ts'

const DEFINITIONS = {
  Node: ScenarioNode,
  NodeChanges,
  Condition,
  Reaction,
  Reactions,
  TextReactions,
  ScrollReactions,
  KeyReactions,
}

/** The schema cannot check that the named screens, nodes, counters and apps exist; only the simulator does. */
export const scenarioJsonSchema = () => ({
  title: 'A scenario of svc simulate',
  ...toSchema(WrittenScenario, DEFINITIONS),
})
