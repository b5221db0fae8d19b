/** One skill of many, for the benches. */
export const benchEntry = (index: number) => {
  const id = `com.example.app${index % 200}.do-thing-${index}`
  const path = `skills/${id}`
  return {
    id,
    applicationId: `com.example.app${index % 200}`,
    intent: `do-thing-${index}`,
    summary: `Does the thing number ${index} in the app and says what it saw`,
    path,
    skillFile: `${path}/SKILL.md`,
    scripts: [`${path}/scripts/run.js`, `${path}/scripts/run.sh`],
    artifacts: [],
    keywords: ['thing', `word-${index % 50}`],
  }
}
