// How a program asks that time pass in a simulation: it leaves an order beside the clock's file, which the launcher carries out for all programs.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { codeOf } from './narrow.ts'

export interface ClockOrder {
  orderId: string
  spanMs: number
}

/** How far an order has been carried out, in milliseconds of the simulation's time. */
export interface ClockProgress {
  orderId: string
  beganAt: string
  endsAt: string
  isAt: string
  isDone: boolean
  /** Why it stopped before its end. */
  problem: string | null
}

const orderFile = (clockFile: string): string => `${clockFile}.order`
const progressFile = (clockFile: string): string => `${clockFile}.progress`

export const leaveOrder = (clockFile: string, order: ClockOrder): void => write(orderFile(clockFile), order)
export const readOrder = (clockFile: string): ClockOrder | null => read<ClockOrder>(orderFile(clockFile))
export const tellProgress = (clockFile: string, progress: ClockProgress): void =>
  write(progressFile(clockFile), progress)
export const readProgress = (clockFile: string): ClockProgress | null => read<ClockProgress>(progressFile(clockFile))

/** Whole or not at all: somebody may read it at any instant. */
function write(file: string, value: object): void {
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, `${JSON.stringify(value)}\n`)
  renameSync(unfinished, file)
}

function read<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}
