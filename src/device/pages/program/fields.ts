/** The types of inputs that take no text. */
export const UNTYPED = 'button|checkbox|color|file|hidden|image|radio|range|reset|submit'
