package page

import (
	"encoding/json"
	"html/template"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// object is a thing of schema.org.
type object map[string]any

// put sets a member that is not empty.
func (o object) put(name string, value any) {
	switch v := value.(type) {
	case string:
		if v == "" {
			return
		}
	case []string:
		if len(v) == 0 {
			return
		}
	case object:
		if len(v) == 0 {
			return
		}
	}
	o[name] = value
}

// encoded writes a graph. Members are strings, lists and objects of such alone, which
// always can be encoded; < and > are written as \u003c and \u003e.
func encoded(things ...object) template.JS {
	data, err := json.Marshal(object{"@context": "https://schema.org", "@graph": things})
	if err != nil {
		return "null"
	}
	return template.JS(data) // JSON, in which nothing ends the element
}

// projectData describes a page for search engines.
func projectData(pg projects.Page, v project, o Options) template.JS {
	work := object{"@type": "CreativeWork", "@id": v.Head.Canonical + "#work", "url": v.Head.Canonical,
		"name": v.Title, "creator": object{"@id": o.whole(v.Firm.Home) + "#business"}}
	work.put("inLanguage", v.Head.Speech.Code)
	work.put("headline", v.Head.Title)
	work.put("description", v.Head.Description)
	work.put("genre", v.Type)
	work.put("datePublished", v.Head.Published)
	work.put("dateModified", v.Head.Modified)
	work.put("keywords", lines(pg.Tags))
	work.put("material", lines(pg.Materials))
	if v.Place != "" {
		work.put("locationCreated", object{"@type": "Place", "name": v.Place})
	}
	if v.Hero != nil {
		work.put("image", object{"@type": "ImageObject", "url": o.whole(v.Hero.Full), "width": v.Hero.Width,
			"height": v.Hero.Height, "caption": v.Hero.Alt})
	}
	trail := object{"@type": "BreadcrumbList", "itemListElement": []object{
		{"@type": "ListItem", "position": 1, "name": v.Firm.Name, "item": o.whole(v.Firm.Home)},
		{"@type": "ListItem", "position": 2, "name": v.Title, "item": v.Head.Canonical}}}
	return encoded(work, businessData(pg.Business, v.Firm, o), trail)
}

// businessData describes who did the job.
func businessData(b projects.Business, f firm, o Options) object {
	home := o.whole(f.Home)
	out := object{"@type": "HomeAndConstructionBusiness", "@id": home + "#business", "name": f.Name, "url": home}
	out.put("description", summary(clean(b.About)))
	out.put("knowsAbout", f.Trade)
	if f.City != "" {
		out.put("address", object{"@type": "PostalAddress", "addressLocality": f.City})
	}
	if f.Logo != nil {
		out.put("logo", o.whole(f.Logo.Full))
	}
	for _, c := range f.Contacts {
		switch c.Kind {
		case "phone":
			out.put("telephone", c.Text)
		case "email":
			out.put("email", c.Text)
		case "website":
			out.put("sameAs", string(c.Address))
		}
	}
	return out
}
