// A second, independent implementation of the account, to check the real one: amounts in buckets, without schedule rows or a ledger.

/** How a payment was applied: parts of buckets, principal repaid ahead of its rows, and the total. */
interface Use {
  parts: { row: number; what: Bucket['what']; part: bigint }[]
  ahead: bigint
  /** Row interest that was charged for days on which the money had already arrived; it is used like money. */
  backs: Back[]
  money: bigint
  /** Whether the loan had already been written off. */
  isLate?: boolean
}

/** Interest that a row gives back. */
interface Back {
  row: number
  paise: bigint
}

/** The amount due of one kind in one row. The order of `what` is the order in which money is applied. */
interface Bucket {
  row: number
  what: 0 | 1 | 2 | 3
  owed: bigint
  paid: bigint
}

const penalty = 0
const charges = 1
const interest = 2
const principal = 3

export interface ShadowRow {
  dueDay: number
  charges: bigint
  interest: bigint
  principal: bigint
}

/** How a payment is to be applied. */
interface ShadowPayment {
  isPartPayment: boolean
  keepsTerm: boolean
  /** The day on which the payment becomes known. */
  today: number
  /** What is corrected because the payment had arrived earlier; the cost laws check whether that is right. */
  late?: {
    back: { number: number; paise: bigint }[]
    charges: { installment: number; paise: bigint; isMade: boolean }[]
    hasLeft: boolean
  }
}

/** Days are numbers; day ends must be processed one after another. */
export interface Shadow {
  receive(paise: bigint, name: string, valueDay: number, given: ShadowPayment): void
  takeBack(name: string, day: number): void
  endDay(day: number): void
  /** On the first due date: what was refunded in excess before it is due with the first row. */
  claimWaiting(day: number): void
  /** Until the given day, money that covers the loan less the fee closes it; immediately if nothing is owed. */
  requestExit(until: number, day: number): void
  /** Waives what is due, oldest row first; the borrower leaves the loan if nothing else is left to pay. */
  waive(given: { penalty: bigint; charges: bigint; interest: bigint }, day: number): void
  /** Writes the loan off; from now on, applied money counts as recovered. `accruedNow` is the interest booked so far for the current row. */
  writeOff(accruedNow: bigint): void
  /** Starts the refund of spare money; `refundEnds` confirms it or returns the money, and the borrower leaves the loan if nothing else is left to pay. */
  refund(paise: bigint): void
  refundEnds(paise: bigint, fails: boolean, day: number): void
  /** The bank gives back a completed refund. */
  refundReturns(paise: bigint, day: number): void
  /** Classifies the loan after a day's end, assuming `more` additional days past due. */
  classify(day: number, more: number): void
  sums(): Sums
}

export interface Sums {
  principal: bigint
  interest: bigint
  penalty: bigint
  charges: bigint
  overdue: bigint
  isNonPerforming: boolean
  /** The part of the claim that was in suspense at the write-off. */
  neverEarned: bigint
  /** The income, given the interest booked for the current week. */
  income(accruedNow: bigint): bigint
  /** All payments received and not reversed. */
  inBank: bigint
  spare: bigint
  /** What the borrower had to give back, because it was refunded before the bank took it back. */
  claimed: bigint
  /** Applied since the write-off and not reversed. */
  recovered: bigint
  /** What could be waived. */
  waivable: { penalty: bigint; charges: bigint; interest: bigint }
  /** The part of the fee and tax that the lender keeps. */
  fee: bigint
  /** Refunds in progress, and completed refunds. */
  away: bigint
  returned: bigint
  paidByRow: bigint[]
  penaltyByRow: bigint[]
}

interface Agreed {
  bps: bigint
  graceDays: number
  everyDays: number
  most: number
  unit: bigint
  /** Annual rate in hundredths of a percent. */
  rateBps: bigint
  installment: bigint
  weeks: number
  /** The fee including tax. */
  fee: bigint
  /** Whether the lender presents debits on a day. */
  hasDebits(day: number): boolean
}

export function shadowOf(rows: ShadowRow[], agreed: Agreed): Shadow {
  const buckets: Bucket[] = rows.flatMap((row, i) => [
    { row: i, what: penalty, owed: 0n, paid: 0n },
    { row: i, what: charges, owed: row.charges, paid: 0n },
    { row: i, what: interest, owed: row.interest, paid: 0n },
    { row: i, what: principal, owed: row.principal, paid: 0n },
  ])
  const days = rows.map(({ dueDay }) => dueDay)
  const begins: (number | null)[] = rows.map(() => null)
  /** Every change of the borrowed amount that is not yet due, with the day from which it counts. */
  const changes: { day: number; change: bigint }[] = []
  const ended = rows.map(() => false)
  /** The first day with debits of a row that has ended; null until that day has ended. */
  const lateSince: (number | null)[] = rows.map(() => null)
  /** Interest given back, by row. */
  const givenBack = rows.map(() => 0n)
  /** What is claimed because the bank took a refunded payment back, by row. It bears no penal charges. */
  const claims = rows.map(() => 0n)
  const chargeDay: (number | null)[] = rows.map(() => null)
  const chargeCount = rows.map(() => 0)
  const receipts = new Map<string, Use>()
  const received = new Map<string, bigint>()
  const penaltyCharges: { row: number; day: number; paise: bigint; isLate: boolean }[] = []
  const spareUses: Use[] = []
  let installment = agreed.installment
  let inBank = 0n
  let spare = 0n
  let away = 0n
  let returned = 0n
  let claimed = 0n
  /** What the current reversal takes from spare money for charges that were reversed since. */
  let takenForCharges = 0n
  let isLost = false
  let recovered = 0n
  /** Waived from earned income, and from what was in suspense at the write-off. */
  let waived = 0n
  let neverEarned = 0n
  let isNonPerforming = false
  let leavesUntil: number | null = null
  /** What the returned fee paid when the borrower left; it stays applied until principal is owed again. */
  let leftWith: Use | null = null
  /** Penal charges by row that were in suspense at the write-off and have not been waived since. */
  const neverCharged = new Map<number, bigint>()
  /** Effective receipts, and waivers while non-performing, in order. */
  let timeline: string[] = []

  const sum = (of: (bucket: Bucket) => bigint, keep: (bucket: Bucket) => boolean = () => true) =>
    buckets.filter(keep).reduce((total, bucket) => total + of(bucket), 0n)
  /** The sum for one row without its penal charges. */
  const ofRow = (row: number, of: (bucket: Bucket) => bigint) =>
    of(buckets[row * 4 + charges]!) + of(buckets[row * 4 + interest]!) + of(buckets[row * 4 + principal]!)
  const open = ({ owed, paid }: Bucket) => owed - paid
  const unpaid = (row: number) => ofRow(row, open)
  const bearsPenalty = (row: number) => (unpaid(row) > claims[row]! ? unpaid(row) - claims[row]! : 0n)
  const first = (row: number, day: number) =>
    agreed.bps > 0n && chargeCount[row]! < agreed.most ? day + agreed.graceDays + 1 : null
  /** Runs `change`; if it reopens a paid row, the row's penal charges start on this day at the earliest. */
  function changeRow(row: number, day: number, change: () => void) {
    const before = bearsPenalty(row)
    change()
    if (!ended[row] || before > 0n || bearsPenalty(row) === 0n) return
    const fresh = first(row, day)
    const planned = chargeDay[row]!
    chargeDay[row] = fresh !== null && planned !== null && planned > fresh ? planned : fresh
  }

  /** Removes charges that would not have been made if the money had been there, newest first per row. Amounts already paid on them become spare money. */
  function forgive(charged: { installment: number; paise: bigint; isMade: boolean }[], day: number) {
    for (const { installment: number, paise, isMade } of charged) {
      const row = number - 1
      buckets[row * 4]!.owed += isMade ? paise : -paise
      if (isMade) {
        penaltyCharges.push({ row, day, paise, isLate: isLost })
        continue
      }
      const wrong = penaltyCharges.findLast((charge) => charge.row === row && charge.paise === paise)
      if (!wrong) throw new Error('a charge can be reversed only once')
      const never = wrong.isLate ? 0n : least(paise, neverCharged.get(row) ?? 0n)
      neverCharged.set(row, (neverCharged.get(row) ?? 0n) - never)
      neverEarned -= never
      penaltyCharges.splice(penaltyCharges.indexOf(wrong), 1)
    }
    const over = buckets.filter(({ what, owed, paid }) => what === penalty && paid > owed)
    if (over.length === 0) return
    for (const bucket of over) {
      spare += bucket.paid - bucket.owed
      bucket.paid = bucket.owed
    }
    useSpare(day)
  }

  /** Applies spare money to open amounts; if spare money is missing, the newest such payments are undone first. */
  function useSpare(day: number) {
    while (spare < 0n) {
      const used = spareUses.pop()
      if (!used) return
      uncountRecovery(used)
      undo(used, day)
      spare += used.money
    }
    if (spare <= 0n) return
    const keepsTerm = installment < agreed.installment
    const used = use(spare, day, { isPartPayment: false, keepsTerm, today: day })
    if (used.money > 0n) spareUses.push(countRecovery(used))
    spare -= used.money
  }
  /** Money that was to be refunded is the borrower's again. */
  function becomeSpare(paise: bigint, day: number) {
    spare += paise
    useSpare(day)
    exitIfRepaid(0n, day, { today: day })
  }
  /** What was refunded although the bank took it back is due with the row that ended last, or in a row of its own. */
  function claimRefunded(day: number) {
    if (spare >= 0n) return
    const claim = -spare
    if (days.at(-1)! <= day - 7) add(day)
    const row = firstToCome(day) - 1
    if (row < 0) return
    buckets[row * 4 + principal]!.owed += claim
    claims[row]! += claim
    spare = 0n
    claimed += claim
    // The same act took money for charges that were reversed since, and made it owed again: nothing was recovered.
    if (isLost) recovered -= least(claim, takenForCharges)
  }
  function countRecovery(used: Use): Use {
    if (isLost && used.money > 0n) recovered += used.money
    return { ...used, isLate: isLost }
  }
  function uncountRecovery(used: Use) {
    if (used.isLate && used.money > 0n) recovered -= used.money
  }
  /** Pays buckets in order and returns the amount each received. */
  function pay(paise: bigint, keep: (bucket: Bucket) => boolean = () => true): Use {
    let rest = paise
    const parts = buckets.filter(keep).flatMap((bucket) => {
      const part = rest < open(bucket) ? rest : open(bucket)
      bucket.paid += part
      rest -= part
      return part > 0n ? [{ row: bucket.row, what: bucket.what, part }] : []
    })
    return { parts, ahead: 0n, backs: [], money: paise - rest }
  }
  /** Gives the fee back if this money then closes the loan and the fee has not been given back yet. */
  function exitIfRepaid(paise: bigint, valueDay: number, { today, late }: Pick<ShadowPayment, 'today' | 'late'>) {
    if (leavesUntil === null || valueDay > leavesUntil || leftWith !== null) return
    const restore = saveState()
    const fee = payAhead(agreed.fee, today, { isPartPayment: true, keepsTerm: false, today }, null)
    const restoreTrial = saveState()
    use(paise, today, { isPartPayment: true, keepsTerm: false, today })
    const isEnough = late ? late.hasLeft : isRepaid()
    restoreTrial()
    if (!isEnough) return restore()
    spare += agreed.fee - fee.money
    leftWith = fee
  }
  /** Pays what is due first, then the current week or principal ahead of its rows, and the current row's interest last. */
  function use(paise: bigint, day: number, given: ShadowPayment): Use {
    const backs = (given.late?.back ?? []).map(({ number, paise: part }) => ({ row: number - 1, paise: part }))
    const back = backs.reduce((total, each) => total + each.paise, 0n)
    giveBack(backs)
    const due = pay(paise + back, (bucket) => isDue(bucket, day))
    const rest = paise + back - due.money
    if (rest === 0n) return { ...due, backs, money: paise }
    const restoreTrial = saveState()
    let used = payAhead(rest, day, given, null)
    if (!given.isPartPayment && !isRepaid()) {
      restoreTrial()
      used = payAhead(rest, day, given, firstToCome(day))
    }
    return { ...used, parts: [...due.parts, ...used.parts], backs, money: due.money + used.money - back }
  }
  const isDue = ({ row }: Pick<Bucket, 'row'>, day: number) => ended[row]! || days[row]! <= day
  const isRepaid = () => sum(open) === 0n
  /** Applies money beyond what is due, first to the named row, if any. */
  function payAhead(paise: bigint, day: number, { keepsTerm }: ShadowPayment, early: number | null): Use {
    const week = pay(paise, ({ row }) => row === early)
    const earlyOf = ({ parts }: Use) =>
      parts.reduce(
        (total, { row, what, part }) => (what >= interest && !isDue({ row }, day) ? total + part : total),
        0n,
      )
    const here = earlyOf(week)
    let rest = paise - week.money
    let repaid = 0n
    const repay = (part: bigint) => replanRows(-part, day, keepsTerm ? days.length - firstToCome(day) : null)
    if (here > 0n) {
      changes.push({ day, change: -here })
      repay(0n)
    }
    while (rest > 0n && maxPrepayment(day) > 0n) {
      const paid = least(rest, maxPrepayment(day))
      repay(paid)
      rest -= paid
      repaid += paid
    }
    const last = pay(rest)
    changes.push({ day, change: -earlyOf(last) })
    return { parts: [...week.parts, ...last.parts], ahead: repaid, backs: [], money: paise - rest + last.money }
  }
  const least = (a: bigint, b: bigint) => (a < b ? a : b)
  /** The principal that can be repaid ahead on a day. Once repaid, later days cost nothing, and interest already paid for them repays principal. */
  function maxPrepayment(day: number): bigint {
    const first = firstToCome(day)
    const of = buckets[first * 4 + interest]
    if (!of) return 0n
    const earned = interestOfWeek(first, day, earningFrom(first, 0n))
    const over = of.paid > earned ? of.paid - earned : 0n
    const left = principalFrom(first, open) - over
    return left > 0n ? left : 0n
  }
  /** Records refunded interest; in a written-off loan it reduces the part that was never earned. */
  function giveBack(backs: Back[], sign = 1n) {
    for (const { row, paise } of backs) {
      givenBack[row]! += sign * paise
      if (isLost) neverEarned -= sign * paise
    }
  }
  function undo({ parts, ahead, backs }: Use, day: number) {
    giveBack(backs, -1n)
    const first = firstToCome(day)
    const before = earningFrom(first, 0n)
    for (const row of new Set(parts.map((each) => each.row)))
      changeRow(row, day, () => {
        for (const each of parts) if (each.row === row) buckets[row * 4 + each.what]!.paid -= each.part
        // The other part was reversed together with this one, and what had become the borrower's no longer is.
        const of = buckets[row * 4 + interest]!
        const repaid = buckets[row * 4 + principal]!
        for (const [less, more] of [
          [of, repaid],
          [repaid, of],
        ] as const) {
          if (less.paid >= 0n) continue
          const taken = least(-less.paid, more.paid > 0n ? more.paid : 0n)
          more.paid -= taken
          spare += less.paid + taken
          less.paid = 0n
        }
      })
    for (const bucket of buckets.filter(({ what, paid }) => what === penalty && paid < 0n)) {
      spare += bucket.paid
      takenForCharges -= bucket.paid
      if (isLost) recovered -= bucket.paid
      bucket.paid = 0n
    }
    changes.push({ day, change: earningFrom(first, 0n) - before })
    if (ahead === 0n && !parts.some(({ row }) => row >= first)) return
    if (installment >= agreed.installment) return replanRows(ahead, day, null)
    const lowered = installment
    /** Rewrites the rows, evaluates, and restores them. */
    const tryReplan = (count: number, look: () => bigint): bigint => {
      const restoreTrial = saveState()
      replanRows(ahead, day, count, true)
      const seen = look()
      restoreTrial()
      return seen
    }
    const levelWith = (count: number) => tryReplan(count, () => installment)
    let count = Math.max(days.length - first, 1)
    if (levelWith(count) > agreed.installment)
      while (levelWith(count) > (first + count < agreed.weeks ? lowered : agreed.installment)) count++
    const mostOfLast = agreed.installment + agreed.unit * BigInt(agreed.weeks)
    const isTooMuch = (rowCount: number) =>
      tryReplan(rowCount, () => buckets.at(-2)!.owed + buckets.at(-1)!.owed) > mostOfLast
    let enough = count
    while (enough <= agreed.weeks && isTooMuch(enough)) enough++
    replanRows(ahead, day, enough > agreed.weeks ? count : enough, true)
  }
  const divided = (a: bigint, b: bigint) => (2n * a + b) / (2n * b)
  const interestOf = (paise: bigint, count: number): bigint =>
    paise < 0n
      ? -interestOf(-paise, count)
      : divided(paise * agreed.rateBps * BigInt(count), 3_650_000n * agreed.unit) * agreed.unit
  /** The row whose week includes the day. */
  function firstToCome(day: number): number {
    const first = days.findIndex((dueDay, row) => !ended[row] && dueDay > day)
    return first < 0 ? days.length : first
  }
  const principalFrom = (first: number, of: (bucket: Bucket) => bigint) =>
    sum(of, ({ row, what }) => row >= first && what === principal)
  /** The borrowed amount not yet due, given the principal still to come; every paisa received reduces it. */
  const earningFrom = (first: number, change: bigint) =>
    principalFrom(first, ({ owed }) => owed) +
    change -
    sum(
      ({ paid }) => paid,
      ({ row, what }) => row >= first && (what === interest || what === principal),
    )
  /** Interest of a week up to a day, from the amount borrowed on each day. */
  function interestOfWeek(first: number, until: number, now: bigint): bigint {
    const start = begins[first] ?? (first > 0 ? days[first - 1]! : 0)
    let sumOfDays = 0n
    for (let each = start; each < until; each++) {
      const had = changes.reduce((left, later) => (later.day > each ? left - later.change : left), now)
      if (had > 0n) sumOfDays += had
    }
    return divided(sumOfDays * agreed.rateBps, 3_650_000n * agreed.unit) * agreed.unit
  }
  /** Rewrites all future rows for a new principal, for a given number of rows or as many as needed. */
  function replanRows(change: bigint, day: number, count: number | null, isLevel = change !== 0n) {
    const first = firstToCome(day)
    if (first === days.length) {
      let dueDay = days.at(-1)! + 7
      while (dueDay <= day) dueDay += 7
      // No week begins before the previous one ends.
      add(dueDay, Math.max(day, days.at(-1)!))
    }
    let left = principalFrom(first, ({ owed }) => owed) + change
    changes.push({ day, change })
    const under = { interest: buckets[first * 4 + interest]!, principal: buckets[first * 4 + principal]! }
    under.interest.owed = interestOfWeek(first, days[first]!, earningFrom(first, change))
    const over = under.interest.paid > under.interest.owed ? under.interest.paid - under.interest.owed : 0n
    // Money that exceeds the principal belongs to the borrower.
    const repaid = least(over, left - under.principal.paid)
    under.interest.paid -= over
    under.principal.paid += repaid
    // Money received for the row pays its interest first.
    const came = under.interest.paid + under.principal.paid
    under.interest.paid = least(came, under.interest.owed)
    under.principal.paid = came - under.interest.paid
    spare += over - repaid
    changes.push({ day, change: over - repaid })
    if (count !== null && left > 0n && isLevel)
      installment = evenly(left, count, under.principal.paid + under.interest.paid - under.interest.owed)
    if (installment < agreed.unit) installment = agreed.unit
    const extra: bigint[] = []
    for (let row = first; ; row++) {
      if (row >= days.length) add(days[row - 1]! + 7)
      const of = buckets[row * 4 + interest]!
      const repaid = buckets[row * 4 + principal]!
      if (row > first) of.owed = interestOf(left, 7)
      let share = installment - of.owed
      for (const least of [repaid.paid, agreed.unit]) if (share < least) share = least
      const ends = count === null ? left - share <= agreed.unit * BigInt(agreed.weeks) : row - first + 1 >= count
      repaid.owed = ends || share > left ? left : share
      left -= repaid.owed
      if (left > 0n) continue
      for (const bucket of buckets.splice((row + 1) * 4)) if (bucket.what === charges) extra.push(bucket.owed)
      for (const each of [days, begins, ended, lateSince, givenBack, claims, chargeDay, chargeCount])
        each.splice(row + 1)
      buckets[row * 4 + charges]!.owed += extra.reduce((total, each) => total + each, 0n)
      return
    }
  }
  /** The same principal for each of a number of rows; if the first has already repaid more, for each of the others. */
  function evenly(left: bigint, count: number, kept: bigint): bigint {
    const even = levelFor(left, count)
    if (count === 1 || kept <= even) return even
    return left === kept ? installment : levelFor(left - kept, count - 1)
  }
  /** Returns a function that restores the current state, for trying out what a payment would do. */
  function saveState(): () => void {
    const lists = [
      keep(buckets, (bucket) => ({ ...bucket })),
      keep(days),
      keep(begins),
      keep(ended),
      keep(lateSince),
      keep(givenBack),
      keep(claims),
      keep(chargeDay),
      keep(chargeCount),
      keep(changes),
      keep(spareUses),
    ]
    const spareWas = spare
    const installmentWas = installment
    const neverEarnedWas = neverEarned
    const recoveredWas = recovered
    return () => {
      for (const restore of lists) restore()
      spare = spareWas
      installment = installmentWas
      neverEarned = neverEarnedWas
      recovered = recoveredWas
    }
  }
  function add(dueDay: number, begin: number | null = null) {
    for (const what of [penalty, charges, interest, principal] as const)
      buckets.push({ row: days.length, what, owed: 0n, paid: 0n })
    days.push(dueDay)
    begins.push(begin)
    ended.push(false)
    lateSince.push(null)
    givenBack.push(0n)
    claims.push(0n)
    chargeDay.push(null)
    chargeCount.push(0)
  }
  /** The smallest suitable multiple of the unit near the level payment, found by search: half a unit more would repay too much. */
  function levelFor(left: bigint, count: number): bigint {
    const up = 3_650_000n + 7n * agreed.rateBps
    const down = 3_650_000n
    const grown = up ** BigInt(count)
    const plain = down ** BigInt(count)
    return divided(left * 7n * agreed.rateBps * grown, down * (grown - plain) * agreed.unit) * agreed.unit
  }

  /** What was booked and not given back; while income is suspended, at most what was paid. */
  function earned(accruedNow: bigint, isHeld: boolean): bigint {
    const coming = ended.indexOf(false)
    return sum(
      ({ row, what, owed, paid }) => {
        const booked = (ended[row] ? owed : accruedNow) - (what === interest ? givenBack[row]! : 0n)
        return isHeld && paid < booked ? paid : booked
      },
      ({ row, what }) => (ended[row]! && what !== principal) || (row === coming && what === interest),
    )
  }

  return {
    receive(paise, name, valueDay, given) {
      exitIfRepaid(paise, valueDay, given)
      forgive(given.late?.charges ?? [], given.today)
      const used = countRecovery(use(paise, given.today, given))
      receipts.set(name, used)
      timeline.push(name)
      inBank += paise
      received.set(name, paise)
      spare += paise - used.money
    },
    takeBack(name, day) {
      const used = receipts.get(name)!
      timeline.splice(timeline.indexOf(name), 1)
      const paise = received.get(name)!
      uncountRecovery(used)
      inBank -= paise
      const restoreTrial = saveState()
      const without = (fee: Use | null) => {
        takenForCharges = 0n
        const parts = [...used.parts, ...(fee?.parts ?? [])]
        undo({ ...used, ahead: used.ahead + (fee?.ahead ?? 0n), parts }, day)
        spare -= paise - used.money + (fee ? agreed.fee - fee.money : 0n)
        useSpare(day)
      }
      without(null)
      if (leftWith !== null && principalFrom(0, open) > 0n) {
        restoreTrial()
        without(leftWith)
        leftWith = null
      }
      claimRefunded(day)
    },
    claimWaiting(day) {
      takenForCharges = 0n
      claimRefunded(day)
    },
    requestExit(until, day) {
      leavesUntil = until
      exitIfRepaid(0n, day, { today: day })
    },
    endDay(day) {
      for (const [row, dueDay] of days.entries()) {
        if (!ended[row]) {
          if (dueDay > day) continue
          ended[row] = true
        }
        if (lateSince[row] === null) {
          if (!agreed.hasDebits(day)) continue
          lateSince[row] = day
          const fresh = first(row, day)
          const planned = chargeDay[row]!
          chargeDay[row] = fresh !== null && planned !== null && planned > fresh ? planned : fresh
        } else if (chargeDay[row] === day && bearsPenalty(row) > 0n) {
          const raw = bearsPenalty(row) * agreed.bps
          const step = 10_000n * agreed.unit
          const charge = ((2n * raw + step) / (2n * step)) * agreed.unit
          buckets[row * 4]!.owed += charge
          penaltyCharges.push({ row, day, paise: charge, isLate: isLost })
          chargeCount[row]!++
          chargeDay[row] = chargeCount[row]! < agreed.most ? day + agreed.everyDays : null
        }
      }
    },
    waive(given, day) {
      if (isNonPerforming) timeline.push('waived')
      const left = [given.penalty, given.charges, given.interest, 0n]
      for (const bucket of buckets) {
        if (bucket.what !== penalty && !ended[bucket.row]) continue
        const part = open(bucket) < left[bucket.what]! ? open(bucket) : left[bucket.what]!
        bucket.owed -= part
        left[bucket.what]! -= part
        const back = bucket.what === interest ? givenBack[bucket.row]! : 0n
        const suspended = isNonPerforming && !isLost ? open(bucket) + part - back : 0n
        waived += suspended <= 0n ? part : suspended < part ? part - suspended : 0n
      }
      exitIfRepaid(0n, day, { today: day })
    },
    writeOff(accruedNow) {
      neverEarned = earned(accruedNow, false) - earned(accruedNow, isNonPerforming)
      if (isNonPerforming)
        for (const bucket of buckets) if (bucket.what === penalty) neverCharged.set(bucket.row, open(bucket))
      isLost = true
    },
    refund(paise) {
      spare -= paise
      away += paise
    },
    refundEnds(paise, fails, day) {
      away -= paise
      if (fails) becomeSpare(paise, day)
      else returned += paise
    },
    refundReturns(paise, day) {
      returned -= paise
      becomeSpare(paise, day)
    },
    classify(day, more) {
      const late = lateSince.flatMap((since, row) =>
        since !== null && unpaid(row) + open(buckets[row * 4]!) > 0n ? [since] : [],
      )
      const isOnlyWaived = timeline.at(-1) === 'waived' && sum(open) > 0n
      isNonPerforming =
        late.length > 0 ? isNonPerforming || day + more - Math.min(...late) >= 90 : isNonPerforming && isOnlyWaived
      if (!isNonPerforming) timeline = timeline.filter((each) => each !== 'waived')
    },
    sums: () => {
      const owed = (what: number, keep: (bucket: Bucket) => boolean = (one) => ended[one.row]!) =>
        sum(open, (one) => one.what === what && keep(one))
      return {
        principal: owed(principal, () => true),
        interest: owed(interest),
        penalty: owed(penalty, () => true),
        charges: owed(charges),
        isNonPerforming,
        neverEarned,
        income: (accruedNow) => earned(accruedNow, isNonPerforming && !isLost) + waived - neverEarned,
        overdue: sum(open, (one) => lateSince[one.row]! !== null),
        inBank,
        fee: leftWith ? 0n : agreed.fee,
        spare,
        claimed,
        away,
        returned,
        recovered,
        waivable: {
          penalty: owed(penalty, () => true),
          charges: owed(charges),
          interest: owed(interest),
        },
        paidByRow: days.map((_, row) => ofRow(row, ({ paid }) => paid)),
        penaltyByRow: days.map((_, row) => buckets[row * 4]!.owed),
      }
    },
  }
}

/** Returns a function that restores the list's current contents. */
function keep<T>(list: T[], copy: (each: T) => T = (each) => each): () => void {
  const was = list.map(copy)
  return () => {
    list.splice(0, Number.POSITIVE_INFINITY, ...was)
  }
}
