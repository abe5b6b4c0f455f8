// The report of the proof: one page with the pictures of all engines beside each other.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { html } from '@lendloom/http/markup'

export interface Picture {
  story: string
  caption: string
  engine: string
  png: Buffer
}

/** Writes the pictures and `index.html` into a folder. Returns the path of the page. */
export function writeReport(folder: string, engines: string[], pictures: Picture[]): string {
  mkdirSync(folder, { recursive: true })
  const fileOf = ({ story, caption, engine }: Picture) =>
    `${[story, caption, engine].join(' ').replace(/\W+/g, '-')}.png`
  for (const picture of pictures) writeFileSync(join(folder, fileOf(picture)), picture.png)
  const stories = Map.groupBy(pictures, ({ story }) => story)
  const sections = [...stories].map(([story, ofStory]) => {
    const rows = [...Map.groupBy(ofStory, ({ caption }) => caption)].map(
      ([caption, same]) =>
        html`<h3>${caption}</h3><div class="row">${engines.map((engine) => {
          const picture = same.find((each) => each.engine === engine)
          return html`<figure>${picture ? html`<img src="${fileOf(picture)}" alt="" loading="lazy">` : html`<p>no picture</p>`}<figcaption>${engine}</figcaption></figure>`
        })}</div>`,
    )
    return html`<h2>${story}</h2>${rows}`
  })
  const page = html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Lendloom in ${engines.length} engines</title>
<style>body{margin:2rem;font-family:system-ui,sans-serif}.row{display:grid;grid-template-columns:repeat(${engines.length},1fr);gap:1rem}figure{margin:0}img{width:100%;border:1px solid #ccc}figcaption{color:#555}</style>
<h1>Lendloom in ${engines.join(', ')}</h1>${sections}</html>`
  const path = join(folder, 'index.html')
  writeFileSync(path, page.text)
  return path
}
