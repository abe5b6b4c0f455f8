// The bureau's sandbox rules: four digits of the PAN decide what it knows of a person.
import { createHash } from 'node:crypto'

export type FaultScenario = 'no-record' | 'source-failed' | 'low-score'

export interface Rule {
  /** Characters 6 to 9 of the PAN. */
  digits: string
  scenario: FaultScenario
  what: string
}

export const rules: Rule[] = [
  { digits: '9131', scenario: 'no-record', what: 'The bureau knows nothing of this person: no hit.' },
  { digits: '9132', scenario: 'source-failed', what: 'The bureau cannot give a report.' },
  { digits: '9133', scenario: 'low-score', what: 'The bureau gives a low score, 545, and overdue accounts.' },
]

export const scenarioFor = (pan: string): FaultScenario | null =>
  rules.find(({ digits }) => digits === pan.slice(5, 9))?.scenario ?? null

const lowScore = 545

/** From 700 to 849 for an ordinary person, always the same for the same PAN. */
export const scoreOf = (pan: string): number =>
  scenarioFor(pan) === 'low-score'
    ? lowScore
    : 700 + (createHash('sha256').update(`score ${pan}`).digest().readUInt32BE() % 150)
