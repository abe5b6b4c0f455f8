// Counts of a fuzz run, in bounded memory.
import type { ApiOperation } from '../api/operations.ts'
import type { Fault } from './judge.ts'

interface OperationCounts {
  statuses: Map<number, number>
  slowestMs: number
}

export interface FaultReport extends Fault {
  operation: string
  /** The index of the request: with the seed, it reproduces the request. */
  index: number
  request: string
  times: number
}

export class FuzzReport {
  private readonly counts = new Map<ApiOperation, OperationCounts>()
  private readonly times: { ms: number; name: string }[] = []
  /** By operation and kind of fault. */
  readonly faults = new Map<string, FaultReport>()
  total = 0
  /** Requests that were slow, but not when they were repeated. */
  slowOnce = 0

  count(operation: ApiOperation, status: number, ms: number): void {
    this.total++
    const known = this.counts.get(operation) ?? { statuses: new Map<number, number>(), slowestMs: 0 }
    this.counts.set(operation, known)
    known.statuses.set(status, (known.statuses.get(status) ?? 0) + 1)
    known.slowestMs = Math.max(known.slowestMs, ms)
    this.times.push({ ms, name: operation.name })
    if (this.times.length > 2000) this.keepSlowest()
  }

  private keepSlowest(): void {
    this.times.sort((a, b) => b.ms - a.ms)
    this.times.length = 10
  }

  /** Whether this is the first fault of its kind at its operation. */
  isNew(operation: ApiOperation, { kind }: Fault): boolean {
    const known = this.faults.get(`${operation.name} ${kind}`)
    if (known) known.times++
    return known === undefined
  }

  note(operation: ApiOperation, fault: Fault, { index, request }: Pick<FaultReport, 'index' | 'request'>): void {
    this.faults.set(`${operation.name} ${fault.kind}`, {
      ...fault,
      operation: operation.name,
      index,
      request,
      times: 1,
    })
  }

  forgive(operation: ApiOperation, fault: Fault): void {
    this.faults.delete(`${operation.name} ${fault.kind}`)
    this.slowOnce++
  }

  print(isDetailed: boolean): void {
    for (const [{ name }, { statuses, slowestMs }] of isDetailed ? this.counts : []) {
      const text = [...statuses].sort().map(([status, times]) => `${status}×${times}`)
      console.log(`${name.padEnd(90)} ${text.join(' ')} slowest ${Math.round(slowestMs)} ms`)
    }
    for (const [program, counts] of Map.groupBy(this.counts, ([{ program }]) => program)) {
      const statuses = new Map<number, number>()
      for (const [, each] of counts)
        for (const [status, times] of each.statuses) statuses.set(status, (statuses.get(status) ?? 0) + times)
      const text = [...statuses].sort().map(([status, times]) => `${status}×${times}`)
      console.log(`${program}: ${counts.length} operations, ${text.join(' ')}`)
    }
    this.keepSlowest()
    for (const { ms, name } of this.times) console.log(`slowest: ${Math.round(ms)} ms ${name}`)
    for (const { operation, kind, detail, index, request, times } of this.faults.values())
      console.log(`FAULT ${times}×: ${operation}: ${kind} ${detail}\n  request ${index}: ${request}`)
  }

  /** Operations that no request reached with success. */
  get unreached(): number {
    return [...this.counts.values()].filter(({ statuses }) => ![...statuses.keys()].some((status) => status < 400))
      .length
  }

  get slowestMs(): number {
    this.keepSlowest()
    return this.times[0]?.ms ?? 0
  }
}
