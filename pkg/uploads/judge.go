package uploads

import (
	"bytes"
	"context"
	"errors"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/speech"
	"github.com/bellhop-ai/bellhop/pkg/uploads/pdf"
	"github.com/bellhop-ai/bellhop/pkg/uploads/picture"
	"github.com/bellhop-ai/bellhop/pkg/uploads/sheet"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

// Judge looks at a file's bytes. Size is how many there are, of which b may be
// only the beginning if they are too many. What the bytes are must be what was
// announced: a table that is a picture is refused, a JPEG that is a PNG is not.
//
// Whatever is read is paid for from the budget; a file for which it is not enough
// is refused. An error means that the budget's context ended, so it is not known.
func Judge(budget *work.Budget, d Draft, b []byte, size int64) (Finding, error) {
	found := Finding{Kind: d.Kind, Type: d.Type, Size: max(1, size)}
	refuse := func(err error) (Finding, error) {
		found.Refusal = fault.From(err).Message
		return found, nil
	}
	switch {
	case size == 0:
		return refuse(fault.New(fault.Unprocessable, "“%s” is empty.", d.Name))
	case size > d.MaxBytes():
		found.Size = min(found.Size, Sound.MaxBytes()) // which is as much as the store takes
		return refuse(tooLarge(d))
	}
	what := sniff(b)
	switch {
	case d.Kind == Image && what.mediaType == typeHEIC:
		return refuse(fault.New(fault.Unprocessable,
			"“%s” is a HEIC picture, which models do not read. Please send it as a JPEG file.", d.Name))
	case what.kind != d.Kind:
		return refuse(fault.New(fault.Unprocessable, "“%s” is no %s: its bytes are those of %s.", d.Name,
			d.Kind.noun(), what.name))
	}
	found.Type = what.mediaType
	var err error
	switch d.Kind {
	case Text:
		found.Body, found.Facts, err = readText(budget, b)
	case Sheet:
		var t sheet.Text
		t, err = sheet.Read(budget, b)
		found.Body, found.Facts = t.Body, Facts{Sheets: t.Sheets, Rows: t.Rows, Left: t.Left}
	case PDF:
		var t pdf.Text
		t, err = pdf.Read(budget, b)
		found.Body, found.Facts = t.Body, Facts{Pages: t.Pages, Left: t.Left}
	case Image:
		var p picture.Picture
		p, err = picture.Inspect(budget, b)
		found.Facts = Facts{Width: p.Width, Height: p.Height}
	case Sound:
		var r speech.Recording
		r, err = speech.Inspect(budget, b)
		found.Facts = Facts{Seconds: r.Length.Seconds()}
	}
	if err != nil {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return Finding{}, fault.From(err)
		}
		if _, said := errors.AsType[*fault.Error](err); !said {
			err = fault.New(fault.Unprocessable, "“%s” is damaged and cannot be read.", d.Name)
		}
		found.Body, found.Facts = "", Facts{}
		return refuse(err)
	}
	return found, nil
}

// sniffed is what bytes look like.
type sniffed struct {
	kind      Kind // "" for what is not taken
	mediaType string
	name      string // for people, with its article
}

// sniff tells what bytes are by how they begin.
func sniff(b []byte) sniffed {
	begins := func(text string) bool { return bytes.HasPrefix(b, []byte(text)) }
	at := func(i int, text string) bool { return len(b) >= i+len(text) && string(b[i:i+len(text)]) == text }
	switch {
	case begins("\x89PNG\r\n\x1a\n"):
		return sniffed{Image, "image/png", "a PNG picture"}
	case begins("\xff\xd8\xff"):
		return sniffed{Image, "image/jpeg", "a JPEG picture"}
	case begins("GIF87a"), begins("GIF89a"):
		return sniffed{Image, "image/gif", "a GIF picture"}
	case begins("RIFF") && at(8, "WEBP"):
		return sniffed{Image, "image/webp", "a WebP picture"}
	case begins("RIFF") && at(8, "WAVE"):
		return sniffed{Sound, "audio/wav", "a recording"}
	case begins("fLaC"):
		return sniffed{Sound, "audio/flac", "a recording"}
	case begins("OggS"):
		return sniffed{Sound, "audio/ogg", "a recording"}
	case begins("\x1a\x45\xdf\xa3"):
		return sniffed{Sound, "audio/webm", "a recording or a film"}
	case at(4, "ftyp") && isHEIC(b):
		return sniffed{Image, typeHEIC, "a HEIC picture"}
	case at(4, "ftyp") && (at(8, "avif") || at(8, "avis")):
		return sniffed{name: "an AVIF picture"}
	case at(4, "ftyp"):
		return sniffed{Sound, "audio/mp4", "a recording or a film"}
	case begins("ID3"), len(b) > 2 && !begins("\xff\xfe") && b[0] == 0xff && b[1]&0xe0 == 0xe0 && b[1]&0x18 != 0x08 &&
		b[1]&0x06 != 0:
		return sniffed{Sound, "audio/mpeg", "a recording"}
	case bytes.Contains(b[:min(len(b), 1024)], []byte("%PDF-")):
		return sniffed{PDF, "application/pdf", "a PDF file"}
	case begins("PK\x03\x04"), begins("PK\x05\x06"):
		if sheet.Looks(b) {
			return sniffed{Sheet, typeXLSX, "an Excel file"}
		}
		return sniffed{name: "a ZIP archive"}
	case begins("\xd0\xcf\x11\xe0"):
		return sniffed{name: "an old or protected Office file; saved anew as .xlsx without a password it can be read"}
	case begins("MZ"), begins("\x7fELF"), begins("\xcf\xfa\xed\xfe"), begins("\xca\xfe\xba\xbe"):
		return sniffed{name: "a program"}
	case begins("\x1f\x8b"), begins("7z\xbc\xaf"), begins("Rar!"), begins("BZh"), begins("\xfd7zXZ"),
		begins("\x28\xb5\x2f\xfd"):
		return sniffed{name: "a packed archive"}
	case begins("%!PS"), begins("{\\rtf"):
		return sniffed{name: "a document of another form"}
	}
	if what, ok := speech.Untaken(b); ok {
		return sniffed{Sound, "application/octet-stream", what} // and then refused, with what to send instead
	}
	text, ok := decodeText(b)
	switch {
	case !ok:
		return sniffed{name: "no form that is known"}
	case looksHTML(text):
		return sniffed{name: "a web page"}
	}
	return sniffed{Text, "text/plain", "a text file"}
}

// isHEIC reports whether the first box of a file names HEIC (ISO/IEC 23008-12) among
// what it can be read as.
func isHEIC(b []byte) bool {
	end := min(len(b), 64)
	if size := int(b[3]); b[0] == 0 && b[1] == 0 && b[2] == 0 && size < end {
		end = size
	}
	for at := 8; at+4 <= end; at += 4 {
		switch string(b[at : at+4]) {
		case "heic", "heix", "heim", "heis", "hevc", "hevx":
			return true
		}
	}
	return false
}
