// Large: load it when somebody crops a picture.
import { useRef, useState } from 'react'
import { type PercentCrop, ReactCrop } from 'react-image-crop'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useFileUrl } from '../../components/use-file-url.ts'
import { useMessages } from '../../messages.ts'
import { cropFile } from './crop-file.ts'
import { usePictureMessages } from './messages/messages.ts'
import 'react-image-crop/dist/ReactCrop.css'
import './pictures.css'

interface Props {
  readonly file: File
  readonly onClose: () => void
  readonly onCrop: (file: File) => void
}

/** Chooses a part of a picture, by pointer or by the arrow keys, and makes a file of it. */
export function CropDialog({ file, onClose, onCrop }: Props) {
  const { cancel } = useMessages()
  const { crop: texts } = usePictureMessages()
  const url = useFileUrl(file)
  const image = useRef<HTMLImageElement>(null)
  const [part, setPart] = useState<PercentCrop>({ unit: '%', x: 10, y: 10, width: 80, height: 80 })
  const [isFailed, setFailed] = useState(false)
  async function crop() {
    const cropped = image.current && (await cropFile(image.current, part, file))
    if (cropped) onCrop(cropped)
    else setFailed(true)
  }
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <p className="help">{texts.help}</p>
      <ReactCrop
        className="picture-crop"
        crop={part}
        onChange={(_pixels, percent) => setPart(percent)}
        keepSelection
        minWidth={16}
        minHeight={16}
        ariaLabels={texts.handles}
      >
        <img ref={image} src={url} alt={file.name} />
      </ReactCrop>
      {isFailed && (
        <p className="field-error" role="alert">
          {texts.failed}
        </p>
      )}
      <div className="actions">
        <Button look="primary" onClick={crop}>
          {texts.action}
        </Button>
        <Button onClick={onClose}>{cancel}</Button>
      </div>
    </Dialog>
  )
}
