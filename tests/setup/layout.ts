// Finds layout faults that can be measured: text that is cut off, overlaps other text, or leaves the page.
import type { Page } from 'playwright-core'

/** Runs in the page. Small overlaps are ignored: they come from tall letters of neighbouring lines. */
const findFaults = `(() => {
  const found = []
  const wide = document.documentElement.clientWidth
  const beyond = document.documentElement.scrollWidth - wide
  if (beyond > 0) found.push('the page scrolls sideways by ' + beyond)
  const named = (element) => element.tagName.toLowerCase() + ' "' + (element.innerText || '').trim().replace(/\\s+/g, ' ').slice(0, 60) + '"'
  const clips = (style) => [style.overflowX, style.overflowY].some((each) => each === 'hidden' || each === 'clip')
  const scrolls = (element) => {
    for (let each = element; each; each = each.parentElement)
      if (/auto|scroll/.test(getComputedStyle(each).overflowX)) return true
    return false
  }
  const lifted = (element) => {
    for (let each = element; each; each = each.parentElement)
      if (/sticky|fixed|absolute/.test(getComputedStyle(each).position)) return true
    return false
  }
  const context = document.createElement('canvas').getContext('2d')
  const boxes = []
  for (const element of document.body.querySelectorAll('#app *')) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const style = getComputedStyle(element)
    const box = element.getBoundingClientRect()
    if (style.clipPath !== 'none' || box.width === 0 || box.height === 0) continue
    if ((box.right > wide + 1 || box.left < -1) && !scrolls(element.parentElement)) found.push('leaves the page: ' + named(element))
    const [over, below] = [element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight]
    const text = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim())
    const holds = text.length > 0 || element.matches('button, label, .card')
    if (style.display !== 'inline' && holds && !element.matches('input, select, option')) {
      if (over > 1 && !/auto|scroll/.test(style.overflowX)) found.push('is wider than its box by ' + over + ': ' + named(element))
      if (clips(style) && below > 1) found.push('is cut off below by ' + below + ': ' + named(element))
    }
    if (element.tagName === 'SELECT') {
      context.font = style.font
      const chosen = element.selectedOptions[0]?.text ?? ''
      const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
      if (context.measureText(chosen).width > room + 1) found.push('the choice is cut off: ' + chosen)
    }
    if (element.matches('button, .button')) {
      context.font = style.font
      const around = element.closest('li, article, .estimate, .notice, form, section, main') ?? document.body
      const room = around.clientWidth - parseFloat(getComputedStyle(around).paddingLeft) * 2 - parseFloat(style.paddingLeft) * 2 - 2
      for (const node of text)
        for (const word of node.data.matchAll(/[^\\s-]+/g)) {
          const range = document.createRange()
          range.setStart(node, word.index)
          range.setEnd(node, word.index + word[0].length)
          const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top)))
          if (lines.size > 1 && context.measureText(word[0]).width <= room) found.push('breaks the word ' + word[0] + ': ' + named(element))
        }
    }
    if (text.length === 0 || element.tagName === 'OPTION' || lifted(element)) continue
    for (const node of text) {
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const line of range.getClientRects()) boxes.push({ node, element, line })
    }
  }
  boxes.sort((one, other) => one.line.top - other.line.top)
  for (let i = 0; i < boxes.length; i++)
    for (let j = i + 1; j < boxes.length && boxes[j].line.top < boxes[i].line.bottom; j++) {
      const [one, other] = [boxes[i], boxes[j]]
      if (one.node === other.node) continue
      const across = Math.min(one.line.right, other.line.right) - Math.max(one.line.left, other.line.left)
      const down = Math.min(one.line.bottom, other.line.bottom) - Math.max(one.line.top, other.line.top)
      if (across > 2 && down > 0.4 * Math.min(one.line.height, other.line.height))
        found.push(named(one.element) + ' overlaps ' + named(other.element))
    }
  return [...new Set(found)]
})()`

/** Returns one line for each fault, with the affected text. */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate(findFaults)
