/** The request header by which a command tells its daemon how long it waits for the answer, in ms. */
export const ANSWER_WITHIN_HEADER = 'Svc-Answer-Within'
