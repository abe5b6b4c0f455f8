// Finds PDF actions that run without a click and lead to an address or another file.
import { corruptContent, unsafeContent } from './resumable-parser.ts'

/** Actions (ISO 32000-2 §12.6.4) that lead out of the file; they are allowed in links that a reader clicks. */
const leadsOut = new Set(['URI', 'GoToR', 'Thread'])
/** Dictionary keys whose actions run without a click: both of the document, `AA` of pages, fields and annotations. */
const triggers = new Set(['OpenAction', 'AA'])

const maxOpenObjects = 1000
/** Maximum number of objects that lead out of the file or to another action; a bank statement has a few per page. */
const maxMarkedObjects = 200_000
/** Blanks and comments at the start of a text. */
const blank = /^(?:\s|%[^\r\n]*(?:[\r\n]|$))+/
const reference = /^(\d{1,10})\s{1,8}\d{1,5}\s{1,8}R/

export interface ActionScanner {
  /** Starts an object. `undefined`: its number is unknown; this closes all open objects. */
  object(number: number | undefined): void
  /** Reports an unescaped name in the current object, and the text that follows it. */
  name(name: string, following: string): void
  endOfObject(): void
  /** Throws `BadContent` when an action without a click leads to an address or another file. */
  end(): void
}

/** The actions found so far, by the numbers of their objects. */
interface PdfActions {
  triggered: Set<number>
  outward: Set<number>
  chained: Set<number>
  isUncertain: boolean
  isOutwardUnknown: boolean
  /** The numbers of the open objects: several when one starts within another, as a viewer may follow either. */
  current: number[]
  /** How many of the current objects are already in `outward`, and in `chained`. */
  markedOutward: number
  markedChained: number
  /** Whether the current object contains the dictionary of an action. */
  isInline: boolean
  /** Whether any object contains one. */
  hasInline: boolean
}

/**
 * An action may be an object anywhere in the file, so triggers are matched with outward actions at the end of the file.
 * When the target of a trigger is uncertain, the file is accepted only if it has no outward action.
 */
export function newActionScanner(): ActionScanner {
  const found: PdfActions = {
    triggered: new Set(),
    outward: new Set(),
    chained: new Set(),
    isUncertain: false,
    isOutwardUnknown: false,
    isInline: false,
    hasInline: false,
    current: [],
    markedOutward: 0,
    markedChained: 0,
  }
  return {
    object(number) {
      if (number === undefined) endObjects(found)
      else if (found.current.push(number) > maxOpenObjects) throw corruptContent('has objects that do not end')
    },
    name(name, following) {
      if (found.isInline) checkInlineName(found, name, following)
      if (triggers.has(name)) addTrigger(found, name, following)
      else markObjects(found, name)
    },
    endOfObject() {
      endObjects(found)
      found.isInline = false
    },
    end() {
      const { triggered, outward, chained, isUncertain, isOutwardUnknown, hasInline } = found
      const hasOutward = outward.size > 0 || isOutwardUnknown
      if (!hasOutward) return
      const isTriggered = [...triggered].some((number) => outward.has(number) || chained.has(number))
      const isUnknown = isOutwardUnknown && (triggered.size > 0 || hasInline)
      if (isUncertain || isTriggered || isUnknown) throw outwardAction()
    },
  }
}

function addTrigger(found: PdfActions, name: string, following: string): void {
  const value = following.replace(blank, '')
  const [, number] = reference.exec(value) ?? []
  if (value.startsWith('<<')) {
    found.isInline = true
    found.hasInline = true
  } else if (number !== undefined && name === 'OpenAction') found.triggered.add(Number(number))
  // An array is a destination within the file; a reference in AA leads to a dictionary of several actions.
  else if (number !== undefined || value === '') found.isUncertain = true
}

function checkInlineName(found: PdfActions, name: string, following: string): void {
  if (leadsOut.has(name)) throw outwardAction()
  if (name === 'Next') found.isUncertain = true
  const [, number] = reference.exec(following.replace(blank, '')) ?? []
  if (number !== undefined) found.triggered.add(Number(number))
}

function markObjects(found: PdfActions, name: string): void {
  const { current, outward, chained } = found
  if (leadsOut.has(name)) {
    if (current.length === 0) found.isOutwardUnknown = true
    for (const number of current.slice(found.markedOutward)) outward.add(number)
    found.markedOutward = current.length
  } else if (name === 'Next') {
    for (const number of current.slice(found.markedChained)) chained.add(number)
    found.markedChained = current.length
  }
  if (outward.size + chained.size > maxMarkedObjects) throw tooManyActions()
}

function endObjects(found: PdfActions): void {
  found.current = []
  found.markedOutward = 0
  found.markedChained = 0
}

const tooManyActions = () => unsafeContent('has more actions than can be checked')
const outwardAction = () => unsafeContent('leads to an address or another file by itself when it is opened')
