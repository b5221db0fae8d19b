/** Where the picture of a step is: by its position, since steps may share an id, and since no URL can carry some ids. */

/** Clients and servers take these away from a path, also where they are percent-encoded. */
const DOTS: readonly string[] = ['.', '..']

/** The part of the path that names the step; with a position it is there to be read by people. */
export const stepInPath = (id: string): string => (DOTS.includes(id) ? 'step' : id)

export const pictureUrl = (executionId: string, { id, position }: { id: string; position: number }): string =>
  `/executions/${encodeURIComponent(executionId)}/screenshots/${encodeURIComponent(stepInPath(id))}?position=${position}`
