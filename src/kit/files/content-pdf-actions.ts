// PDF: automatic actions on opening a file or showing a page, and whether they lead to an address.
import { corruptContent, unsafeContent } from './content-reading.ts'

/** Actions (ISO 32000-2 §12.6.4) that lead out of the file. As links that are clicked they are fine. */
const leadsOut = new Set(['URI', 'GoToR', 'Thread'])
/** Dictionary names of actions without a click: of a document, and additional ones of pages, fields and annotations. */
const triggers = new Set(['OpenAction', 'AA'])

const mostOpen = 1000
/** Objects that lead out of the file or to another action; a statement has a few for each page. */
const mostMarked = 200_000
const blank = /^(?:\s|%[^\r\n]*(?:[\r\n]|$))+/
const reference = /^(\d{1,10})\s{1,8}\d{1,5}\s{1,8}R/

export interface OpenActions {
  /** An object begins; undefined when its number cannot be read. */
  object(number: number | undefined): void
  /** A name in the object, unescaped, and up to some 30 characters that follow it. */
  name(name: string, behind: string): void
  endOfObject(): void
  /** Throws `BadContent` when something that is done without a click leads to an address or another file. */
  end(): void
}

/** The actions found so far, by the numbers of their objects. */
interface PdfActions {
  triggered: Set<number>
  outward: Set<number>
  chained: Set<number>
  isUncertain: boolean
  isOutwardUnknown: boolean
  /** More than one when an object begins before another has ended: a reader may follow either. */
  current: number[]
  /** How many of the current objects were marked already: each is marked once, however many names it has. */
  markedOutward: number
  markedChained: number
  /** Whether an action is written out inside the current object. */
  isInline: boolean
}

/**
 * An action may be a separate object anywhere in the file, so triggers are matched with outward actions at the end.
 * When the target of a trigger is uncertain, the file is accepted only if it has no address.
 */
export function openActions(): OpenActions {
  const found: PdfActions = {
    ...{ triggered: new Set(), outward: new Set(), chained: new Set() },
    ...{ isUncertain: false, isOutwardUnknown: false, isInline: false },
    ...{ current: [], markedOutward: 0, markedChained: 0 },
  }
  return {
    object(number) {
      if (number === undefined) endObjects(found)
      else if (found.current.push(number) > mostOpen) throw corruptContent('has objects that do not end')
    },
    name(name, behind) {
      if (found.isInline) inside(found, name, behind)
      if (triggers.has(name)) trigger(found, name, behind)
      else mark(found, name)
    },
    endOfObject() {
      endObjects(found)
      found.isInline = false
    },
    end() {
      const { triggered, outward, chained, isUncertain, isOutwardUnknown } = found
      const hasOutward = outward.size > 0 || isOutwardUnknown
      if (!hasOutward) return
      const isTriggered = [...triggered].some((number) => outward.has(number) || chained.has(number))
      if (isUncertain || isTriggered || (isOutwardUnknown && triggered.size > 0)) throw outwardAction()
    },
  }
}

function trigger(found: PdfActions, name: string, behind: string): void {
  const value = behind.replace(blank, '')
  const [, number] = reference.exec(value) ?? []
  if (value.startsWith('<<')) found.isInline = true
  else if (number !== undefined && name === 'OpenAction') found.triggered.add(Number(number))
  // An array is a destination within the file; additional actions are a dictionary of several.
  else if (number !== undefined || value === '') found.isUncertain = true
}

function inside(found: PdfActions, name: string, behind: string): void {
  if (leadsOut.has(name)) throw outwardAction()
  if (name === 'Next') found.isUncertain = true
  const [, number] = reference.exec(behind.replace(blank, '')) ?? []
  if (number !== undefined) found.triggered.add(Number(number))
}

function mark(found: PdfActions, name: string): void {
  const { current, outward, chained } = found
  if (leadsOut.has(name)) {
    if (current.length === 0) found.isOutwardUnknown = true
    for (const number of current.slice(found.markedOutward)) outward.add(number)
    found.markedOutward = current.length
  } else if (name === 'Next') {
    for (const number of current.slice(found.markedChained)) chained.add(number)
    found.markedChained = current.length
  }
  if (outward.size + chained.size > mostMarked) throw tooMany()
}

function endObjects(found: PdfActions): void {
  found.current = []
  found.markedOutward = 0
  found.markedChained = 0
}

const tooMany = () => unsafeContent('has more actions than can be checked')
const outwardAction = () => unsafeContent('leads to an address or another file by itself when it is opened')
