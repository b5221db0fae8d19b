/** Section Skills CLI rules: list, for-app and search of the CLI, and the plain filter of GET /skills. */
import type { RegistryEntry, SkillsOutput } from '../../contracts/registry.ts'
import type { Registry } from '../registry/load.ts'
import { type Query, queryOf, RANKS, rankOf } from './rank.ts'

export interface SkillFilter {
  /** Exactly the applicationId. */
  app?: string | undefined
  /** Exactly the intent. */
  intent?: string | undefined
  /** Blank counts as not given. */
  keyword?: string | undefined
}

type Skills = Pick<Registry, 'skills'>

const output = (skills: readonly RegistryEntry[]): SkillsOutput => ({ skills: [...skills], count: skills.length })

const exactly = (skills: readonly RegistryEntry[], { app, intent }: SkillFilter): readonly RegistryEntry[] =>
  app === undefined && intent === undefined
    ? skills
    : skills.filter(
        entry =>
          (app === undefined || entry.applicationId === app) && (intent === undefined || entry.intent === intent),
      )

/** Best rank first; within a rank in the order of the registry. */
const ranked = (skills: readonly RegistryEntry[], query: Query): RegistryEntry[] => {
  const ranks: RegistryEntry[][] = Array.from({ length: RANKS }, () => [])
  for (const entry of skills) {
    const rank = rankOf(entry, query)
    if (rank !== undefined) ranks[rank]?.push(entry)
  }
  return ranks.flat()
}

export const listSkills = ({ skills }: Skills): SkillsOutput => output(skills)

export const skillsForApp = (registry: Skills, app: string): SkillsOutput => searchSkills(registry, { app })

export const searchSkills = ({ skills }: Skills, filter: SkillFilter): SkillsOutput => {
  const found = exactly(skills, filter)
  const query = filter.keyword === undefined ? undefined : queryOf(filter.keyword)
  return output(query === undefined ? found : ranked(found, query))
}

/** GET /skills: a plain substring, in registry order. */
export const filterSkills = ({ skills }: Skills, filter: SkillFilter): SkillsOutput => {
  const found = exactly(skills, filter)
  const text = filter.keyword?.toLowerCase() ?? ''
  if (text === '') return output(found)
  return output(
    found.filter(({ id, summary, applicationId }) =>
      [id, summary, applicationId].some(field => field.toLowerCase().includes(text)),
    ),
  )
}
