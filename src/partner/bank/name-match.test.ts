// Tests which names count as the names of one person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareNames, isSameName } from './name-match.ts'

/** Parses `name=name; name=name`. */
const pairsIn = (text: string): [string, string][] =>
  text.split(';').map(
    (pair) =>
      pair
        .trim()
        .split('=')
        .map((each) => each.trim()) as [string, string],
  )

test('D3 §2.3: spelling variants of the borrower’s name match', () => {
  const samePersonPairs =
    'Asha Verma=ASHA VERMA; Asha Verma=VERMA ASHA; Asha Rani Verma=ASHA VERMA; A Verma=ASHA VERMA; Smt. Asha Verma=Asha  Verma; Renée Dsouza=RENEE DSOUZA; Asha=ASHA'
  for (const [first, second] of pairsIn(samePersonPairs)) {
    assert.ok(isSameName(first, second), `${first} = ${second}`)
    assert.ok(isSameName(second, first), `${second} = ${first}`)
  }
})

test('D3 §2.3: another person’s name does not match', () => {
  const otherPersonPairs =
    'Asha Verma=PRAKASH TANDON; Asha Verma=ASHA SHARMA; Asha Verma=ANIL VERMA; Asha=ASHA VERMA; A V=ASHA VERMA; =ASHA; Mr=MR'
  for (const [first, second] of pairsIn(otherPersonPairs)) {
    assert.ok(!isSameName(first, second), `${first} is not ${second}`)
    assert.ok(!isSameName(second, first), `${second} is not ${first}`)
  }
})

test('D3 §2.3: a name in an Indian script matches its usual Latin spellings, in any word order', () => {
  const samePersonPairs =
    'आशा कुमार=ASHA KUMAR; राजेश शर्मा=Sharma Rajesh; मोहम्मद अब्दुल रहमान=Mohammad Abdul Rahman; लक्ष्मी नारायणन=Lakshmi Narayanan; सुनीता चौधरी=Suneeta Chaudhary; गुरप्रीत सिंह=GURPREET SINGH; ஆஷா குமார்=Asha Kumar; রহিম=Rahim; పవన్ కుమార్ రెడ్డి=Pawan Kumar Reddy; ಅನಿಲ್ ಕುಮಾರ್=Anil Kumar; മോഹൻ=Mohan; ગોવિંદ પટેલ=Govind Patel; ଚନ୍ଦ୍ର=Chandra; आशा वर्मा=आशा वर्मा'
  for (const [first, second] of pairsIn(samePersonPairs)) {
    assert.equal(compareNames(first, second), 'SAME', `${first} = ${second}`)
    assert.equal(compareNames(second, first), 'SAME', `${second} = ${first}`)
  }
})

test('D3 §2.3: names that the rule cannot compare reliably are UNCERTAIN', () => {
  const uncertainPairs =
    'आशा कुमार=Isha Kumar; कमल=Kamala; रमा=Ram; राम=Rama; नारायणन=Narayan; कहान=Khan; चौधरी=Choudhary; ரமேஷ் சுப்பிரமணியன்=Ramesh Subramanian; लक्ष्मी देवी=Lakshmi; आशा कुमार=आशा कुमारी; आशा=ஆஷா; محمد علی=Mohammad Ali; Иван=Ivan; आशा कुमार=PRAKASH TANDON; आशा='
  for (const [first, second] of pairsIn(uncertainPairs)) {
    assert.equal(compareNames(first, second), 'UNCERTAIN', `${first}, ${second}`)
    assert.equal(compareNames(second, first), 'UNCERTAIN', `${second}, ${first}`)
  }
  assert.equal(compareNames('Ørsted Kumar', 'ORSTED KUMAR'), 'SAME')
  assert.equal(compareNames('Asha', 'Isha'), 'DIFFERENT')
})
