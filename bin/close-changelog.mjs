// Part of a release: what stands under Unreleased becomes the notes of the version that package.json has by now.
import { readFileSync, writeFileSync } from 'node:fs'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const text = readFileSync('CHANGELOG.md', 'utf8')
if (!/^## Unreleased\n+(?!## )\S/m.test(text)) throw new Error('CHANGELOG.md has nothing under Unreleased')
const today = new Date().toISOString().slice(0, 10)
writeFileSync('CHANGELOG.md', text.replace('## Unreleased\n', `## Unreleased\n\n## ${version}, ${today}\n`))
