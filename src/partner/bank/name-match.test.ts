// Names on accounts: written in many ways, still one person, and never two.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameName } from './name-match.ts'

const pairs = (text: string): [string, string][] =>
  text.split(';').map(
    (pair) =>
      pair
        .trim()
        .split('=')
        .map((each) => each.trim()) as [string, string],
  )

test('D3 §2.3: an account in the borrower’s name is the borrower’s, however the bank writes it', () => {
  const same =
    'Asha Verma=ASHA VERMA; Asha Verma=VERMA ASHA; Asha Rani Verma=ASHA VERMA; A Verma=ASHA VERMA; Smt. Asha Verma=Asha  Verma; Renée Dsouza=RENEE DSOUZA; Asha=ASHA'
  for (const [one, other] of pairs(same)) {
    assert.ok(isSameName(one, other), `${one} = ${other}`)
    assert.ok(isSameName(other, one), `${other} = ${one}`)
  }
})

test('D3 §2.3: an account in another name is another’s', () => {
  const others =
    'Asha Verma=PRAKASH TANDON; Asha Verma=ASHA SHARMA; Asha Verma=ANIL VERMA; Asha=ASHA VERMA; A V=ASHA VERMA; =ASHA; Mr=MR'
  for (const [one, other] of pairs(others)) {
    assert.ok(!isSameName(one, other), `${one} is not ${other}`)
    assert.ok(!isSameName(other, one), `${other} is not ${one}`)
  }
})
