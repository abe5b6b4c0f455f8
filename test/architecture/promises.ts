// What the architecture promises of its figures: the goal of each, and how many there may be until it is reached.
import { unresolvedCitations } from './citations.ts'
import {
  casts,
  channelConditionals,
  circles,
  filesOfFlow,
  longFunctions,
  manyArguments,
  nonNullAssertions,
  productConditionals,
  sentences,
} from './figures.ts'
import { commentLines, markedComments, sharedNames, unnamedTypes } from './language.ts'
import type { Source } from './sources.ts'

export interface Figure {
  what: string
  goal: number
  /** As many as there are while the goal is not reached: fewer may come, never more. */
  most: number
  /** Shown and not enforced, because a limit on it bent the code that it should have kept readable. */
  isGauge?: true
  find(sources: Source[]): string[]
}

export const figures: Record<string, Figure> = {
  products: { what: 'conditionals on a product outside its descriptor', goal: 0, most: 0, find: productConditionals },
  channels: { what: 'conditionals on the channel of a lender', goal: 0, most: 0, find: channelConditionals },
  circles: {
    what: 'circles of imports, by value or type',
    goal: 0,
    most: 0,
    find: (sources) => circles(sources).map((files) => files.join(' ')),
  },
  citations: { what: 'citations that do not resolve', goal: 0, most: 0, find: unresolvedCitations },
  sentences: { what: 'sentences for people in the domain', goal: 0, most: 0, find: sentences },
  casts: { what: 'casts', goal: 42, most: 18, find: casts },
  'non-null': { what: 'values that are said not to be null (!)', goal: 61, most: 3, find: nonNullAssertions },
  arguments: { what: 'functions of more than four positional arguments', goal: 0, most: 0, find: manyArguments },
  lines: { what: 'functions of more than 50 lines', goal: 0, most: 7, isGauge: true, find: longFunctions },
  'shared names': {
    what: 'exported types with a name of another one',
    goal: 0,
    most: 70,
    isGauge: true,
    find: sharedNames,
  },
  names: { what: 'types whose name is no noun', goal: 0, most: 0, find: unnamedTypes },
  comments: { what: 'lines of comments', goal: 10_000, most: 13_400, isGauge: true, find: commentLines },
  words: {
    what: 'lines of comments with a word that hides the actor',
    goal: 0,
    most: 45,
    isGauge: true,
    find: markedComments,
  },
}

/** Entry points of each flow, those of its effects too: file and name. */
export const flows: Record<string, { goal: number; most: number; entries: [path: string, name: string][] }> = {
  'hosted session': { goal: 45, most: 47, entries: [['src/platform/hosted/create-session.ts', 'createSession']] },
  'lender callback': {
    goal: 130,
    most: 128,
    entries: [
      ['src/platform/subscriber/on-callback.ts', 'onCallbacks'],
      ['src/platform/application/network/apply.ts', 'inboundWorker'],
    ],
  },
  'partner event': {
    goal: 110,
    most: 101,
    entries: [
      ['src/platform/receiver/webhook.ts', 'webhook'],
      ['src/platform/application/partner/apply.ts', 'partnerEventWorker'],
    ],
  },
  'lifecycle update': {
    goal: 35,
    most: 35,
    entries: [
      ['src/platform/journey/advance.ts', 'advance'],
      ['src/platform/webhook/deliver.ts', 'webhookDeliveryWorker'],
    ],
  },
}

export const filesOf = (sources: Source[], entries: [path: string, name: string][]): string[] => [
  ...new Set(entries.flatMap(([path, name]) => filesOfFlow(sources, path, name))),
]
