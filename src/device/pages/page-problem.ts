/** Why a page cannot be read now: the step goes on looking, and says it in the end. */
export class PageProblem extends Error {
  /** The reason is one clause without a full stop, as it goes into a sentence. */
  constructor(reason: string) {
    super(reason)
    this.name = 'PageProblem'
  }
}
