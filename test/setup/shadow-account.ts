// An account kept a second time in another way, to check the real one against: buckets of money, no rows and no ledger.

/** What one row asks for in one part. The order of `what` is the order in which money is used. */
interface Bucket {
  row: number
  what: 0 | 1 | 2 | 3
  owed: bigint
  paid: bigint
}

const [penalty, charges, interest, principal] = [0, 1, 2, 3] as const

export interface ShadowRow {
  dueDay: number
  interest: bigint
  principal: bigint
}

/** Days are numbers here, and a day's end is asked for one day after the other. */
export interface Shadow {
  receive(paise: bigint, name: string, valueDay: number): void
  takeBack(name: string, day: number): void
  endDay(day: number): void
  charge(row: number, paise: bigint, day: number): void
  sums(): Sums
}

export interface Sums {
  principal: bigint
  interest: bigint
  penalty: bigint
  charges: bigint
  overdue: bigint
  /** Everything that came in and was not taken back. */
  inBank: bigint
  spare: bigint
  paidByRow: bigint[]
  penaltyByRow: bigint[]
}

interface Agreed {
  bps: bigint
  graceDays: number
  everyDays: number
  most: number
  unit: bigint
}

export function shadowOf(rows: ShadowRow[], agreed: Agreed): Shadow {
  const buckets: Bucket[] = rows.flatMap((row, i) => [
    { row: i, what: penalty, owed: 0n, paid: 0n },
    { row: i, what: charges, owed: 0n, paid: 0n },
    { row: i, what: interest, owed: row.interest, paid: 0n },
    { row: i, what: principal, owed: row.principal, paid: 0n },
  ])
  const ended = rows.map(() => false)
  const chargeDay: (number | null)[] = rows.map(() => null)
  const chargeCount = rows.map(() => 0)
  const receipts = new Map<string, bigint[]>()
  let made: { row: number; day: number; paise: bigint }[] = []
  const spent: bigint[][] = []
  let inBank = 0n
  let spare = 0n

  const sum = (of: (bucket: Bucket) => bigint, keep: (bucket: Bucket) => boolean = () => true) =>
    buckets.filter(keep).reduce((total, bucket) => total + of(bucket), 0n)
  /** Of one row, without its penal charges. */
  const ofRow = (row: number, of: (bucket: Bucket) => bigint) =>
    of(buckets[row * 4 + charges]!) + of(buckets[row * 4 + interest]!) + of(buckets[row * 4 + principal]!)
  const open = ({ owed, paid }: Bucket) => owed - paid
  const unpaid = (row: number) => ofRow(row, open)
  const first = (row: number, day: number) =>
    agreed.bps > 0n && chargeCount[row]! < agreed.most ? day + agreed.graceDays + 1 : null
  /** Runs `change` and, where it opened a row that was paid, lets its charges begin from this day at the earliest. */
  function opening(row: number, day: number, change: () => void) {
    const before = unpaid(row)
    change()
    if (!ended[row] || before > 0n || unpaid(row) === 0n) return
    const fresh = first(row, day)
    const planned = chargeDay[row]!
    chargeDay[row] = fresh !== null && planned !== null && planned > fresh ? planned : fresh
  }

  /** Charges since the day the money came go, where the money reaches the end of their row without them. */
  function forgive(paise: bigint, valueDay: number) {
    const since = made.filter((charge) => charge.day >= valueDay)
    if (since.length === 0) return
    let earlier = 0n
    for (const row of rows.keys()) {
      const bucket = buckets[row * 4]!
      const wrong = since.filter((charge) => charge.row === row)
      const amount = wrong.reduce((total, charge) => total + charge.paise, 0n)
      const needed = earlier + unpaid(row) + open(bucket) - amount
      if (open(bucket) >= amount && paise >= needed) {
        bucket.owed -= amount
        made = made.filter((charge) => !wrong.includes(charge))
      }
      earlier += unpaid(row) + open(bucket)
    }
  }

  /** Money to spare pays what is open; where it is no longer there, the newest such payments are undone first. */
  function useSpare(day: number) {
    while (spare < 0n) {
      const used = spent.pop()!
      for (const row of rows.keys())
        opening(row, day, () => {
          for (const what of [0, 1, 2, 3]) buckets[row * 4 + what]!.paid -= used[row * 4 + what]!
        })
      spare += used.reduce((total, part) => total + part, 0n)
    }
    const used = pay(spare)
    const total = used.reduce((all, part) => all + part, 0n)
    if (total > 0n) spent.push(used)
    spare -= total
  }
  function pay(paise: bigint): bigint[] {
    let rest = paise
    return buckets.map((bucket) => {
      const part = rest < bucket.owed - bucket.paid ? rest : bucket.owed - bucket.paid
      bucket.paid += part
      rest -= part
      return part
    })
  }

  return {
    receive(paise, name, valueDay) {
      forgive(paise, valueDay)
      const used = pay(paise)
      const rest = paise - used.reduce((total, part) => total + part, 0n)
      receipts.set(name, [...used, rest])
      inBank += paise
      spare += rest
    },
    takeBack(name, day) {
      const used = receipts.get(name)!
      for (const row of rows.keys())
        opening(row, day, () => {
          for (const what of [0, 1, 2, 3]) buckets[row * 4 + what]!.paid -= used[row * 4 + what]!
        })
      inBank -= used.reduce((total, part) => total + part, 0n)
      spare -= used.at(-1)!
      useSpare(day)
    },
    endDay(day) {
      for (const [row, { dueDay }] of rows.entries()) {
        if (!ended[row]) {
          if (dueDay > day) continue
          ended[row] = true
          chargeDay[row] = first(row, dueDay)
        } else if (chargeDay[row] === day && unpaid(row) > 0n) {
          const raw = unpaid(row) * agreed.bps
          const step = 10_000n * agreed.unit
          const charge = ((2n * raw + step) / (2n * step)) * agreed.unit
          buckets[row * 4]!.owed += charge
          made.push({ row, day, paise: charge })
          chargeCount[row]!++
          chargeDay[row] = chargeCount[row]! < agreed.most ? day + agreed.everyDays : null
        }
      }
    },
    charge(row, paise, day) {
      opening(row, day, () => {
        buckets[row * 4 + charges]!.owed += paise
      })
      useSpare(day)
    },
    sums: () => {
      const owed = (what: number, keep: (bucket: Bucket) => boolean = (one) => ended[one.row]!) =>
        sum(open, (one) => one.what === what && keep(one))
      return {
        principal: owed(principal, () => true),
        interest: owed(interest),
        penalty: owed(penalty, () => true),
        charges: owed(charges),
        overdue: sum(open, (one) => ended[one.row]!),
        inBank,
        spare,
        paidByRow: rows.map((_, row) => ofRow(row, ({ paid }) => paid)),
        penaltyByRow: rows.map((_, row) => buckets[row * 4]!.owed),
      }
    },
  }
}
