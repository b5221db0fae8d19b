/** Texts of a statechart in the font of this browser, which may be wider than any that the picture was drawn for. */

/** Narrows each text that would leave its box. The chart must be on the page: only there a text has a length. */
export const fitTexts = (chart: Element): void => {
  const texts = [...chart.querySelectorAll<SVGTextElement>('text[data-room]')]
  // All lengths first: a change makes the browser lay out the rest again.
  const wide = texts.filter(text => text.getComputedTextLength() > Number(text.dataset.room))
  for (const text of wide) {
    text.setAttribute('textLength', text.dataset.room ?? '')
    text.setAttribute('lengthAdjust', 'spacingAndGlyphs')
  }
}
