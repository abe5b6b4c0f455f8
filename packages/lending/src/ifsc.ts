// Looks up the bank and branch of an IFSC: banks from `ifsc-data.json`, branches from the Reserve Bank's list.

import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { csvRows, readCsv } from '@lendloom/documents/csv-read'

interface Branch {
  /** The name of the bank; null when unknown. */
  bank: string | null
  /** The branch and its city; null without a branch list, or when the list does not have the branch. */
  branch: string | null
  /** Whether a list has this exact code. New branches open every week, so an unknown code may be valid. */
  isKnown: boolean
}

export interface Branches {
  find(ifsc: string): Promise<Branch>
}

/** Maximum number of rows of a list; more than twice the current number of branches. */
const maxRows = 400_000
/** Maximum length of branch and city. */
const maxPlaceLength = 120

/** The format that `bin/ifsc-data.mjs` writes. */
interface Banks {
  names: Record<string, string>
  /** The sub-member bank of each code, or prefix of codes, that a bank assigned to it. */
  lent: Record<string, string>
  /** The branches of each bank: numbers and ranges, such as `1-5 7`, and codes with letters, such as `=AU1002`. */
  branches: Record<string, string>
}

const readBanks = (): Banks => JSON.parse(readFileSync(new URL('./ifsc-data.json', import.meta.url), 'utf8'))

function bankOf({ names, lent }: Banks, ifsc: string): string | null {
  for (let length = ifsc.length; length > 4; length--) {
    const subMember = lent[ifsc.slice(0, length)]
    if (subMember !== undefined) return names[subMember] ?? subMember
  }
  return names[ifsc.slice(0, 4)] ?? null
}

function isListed({ branches }: Banks, ifsc: string): boolean {
  const branch = ifsc.slice(5)
  const listed = (branches[ifsc.slice(0, 4)] ?? '').split(' ')
  if (!/^\d+$/.test(branch)) return listed.includes(`=${branch}`)
  return listed.some((range) => {
    const [first, last = first] = range.split('-').map(Number)
    return Number(first) <= Number(branch) && Number(branch) <= Number(last)
  })
}

interface Columns {
  ifsc: number
  branch: number
  city: number
}

function startOf(path: string): string {
  const start = Buffer.alloc(4096)
  try {
    const file = openSync(path, 'r')
    const length = readSync(file, start)
    closeSync(file)
    return start.toString('utf8', 0, length)
  } catch (cause) {
    throw new Error(`IFSC_FILE: ${path} cannot be read`, { cause })
  }
}

/** Returns the columns of the list by its first row; throws without a column for the code or the branch. */
function columnsOf(path: string): Columns {
  const [line = ''] = startOf(path).split(/\r?\n/)
  const rows = readCsv(line, ',')
  const names = typeof rows === 'string' ? [] : (rows[0] ?? []).map((name) => name.toUpperCase())
  const columns = { ifsc: names.indexOf('IFSC'), branch: names.indexOf('BRANCH'), city: names.indexOf('CITY') }
  if (columns.city < 0) columns.city = names.indexOf('CENTRE')
  if (columns.ifsc < 0 || columns.branch < 0)
    throw new Error(`IFSC_FILE: ${path} has no columns IFSC and BRANCH in its first row`)
  return columns
}

async function readBranches(path: string, { ifsc, branch, city }: Columns): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const row of csvRows(path)) {
    const place = [...new Set([row[branch], row[city]])].filter(Boolean).join(', ')
    if (place && found.size < maxRows) found.set(row[ifsc]?.toUpperCase() ?? '', place.slice(0, maxPlaceLength))
  }
  return found
}

/**
 * Creates the look-up of a program; the lists are read at the first call. `path` is a CSV file with the columns IFSC,
 * BRANCH and CITY or CENTRE, as the Reserve Bank publishes it; empty without a branch list. Throws for a file that
 * cannot be read, or that has no column IFSC or BRANCH.
 */
export function branchesOf(path: string): Branches {
  const columns = path === '' ? null : columnsOf(path)
  let reading: Promise<[Banks, Map<string, string>]> | null = null
  async function read(): Promise<[Banks, Map<string, string>]> {
    return [readBanks(), columns === null ? new Map() : await readBranches(path, columns)]
  }
  return {
    async find(input) {
      const ifsc = input.trim().toUpperCase()
      // The next call repeats a failed read.
      reading ??= read().catch((error) => {
        reading = null
        throw error
      })
      const [banks, branches] = await reading
      const branch = branches.get(ifsc) ?? null
      return { bank: bankOf(banks, ifsc), branch, isKnown: branch !== null || isListed(banks, ifsc) }
    },
  }
}
