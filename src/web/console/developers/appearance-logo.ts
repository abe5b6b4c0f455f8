// A logo before it is saved: read in the browser, so that the preview shows it.

export interface LogoPicture {
  /** The address of its picture. */
  url: string
  width: number
  height: number
  /** Base64 of a file that was just chosen; null for the saved one. */
  data: string | null
}

/** Fails for a file that the browser cannot draw. */
export async function drawnFrom(file: File): Promise<LogoPicture> {
  const url = await dataUrl(file)
  const image = new Image()
  image.src = url
  await image.decode()
  const [width, height] = [image.naturalWidth || 1, image.naturalHeight || 1]
  return { url, width, height, data: url.slice(url.indexOf(',') + 1) }
}

const dataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
